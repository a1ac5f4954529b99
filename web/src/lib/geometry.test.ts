import { describe, expect, it } from "vitest";
import { Shapes } from "./geometry";
import type { SpaceLook } from "./protocol";
import { routeAlong, smooth, withoutStart } from "./route";

const hex = (id: string, x: number, y: number): SpaceLook => ({ id, x, y, name: "", words: "", kind: "hex", width: 0, height: 0 });
const shapes = new Shapes({
  spaces: [hex("a", 100, 100), hex("b", 200, 100), hex("c", 150, 186.6), hex("d", 400, 100)],
  hex_width: 100,
  pointy: true,
  width: 500,
  height: 300,
});

describe("shapes", () => {
  it("finds neighbours by distance", () => {
    expect(shapes.neighbours("a").sort()).toEqual(["b", "c"]);
    expect(shapes.neighbours("d")).toEqual([]);
  });

  it("leaves inner hexsides out of an outline", () => {
    const sides = (path: string) => path.split("M").length - 1;
    expect(sides(shapes.edgeOf(["a"]))).toBe(6);
    expect(sides(shapes.edgeOf(["a", "b"]))).toBe(10);
    expect(sides(shapes.edgeOf(["a", "b", "c"]))).toBe(12);
  });

  it("says which hex is under a point", () => {
    expect(shapes.under([110, 95])).toBe("a");
    expect(shapes.under([300, 250])).toBeNull();
  });

  it("steps from hex to hex by direction", () => {
    expect(shapes.step("a", 1, 0)).toBe("b");
    expect(shapes.step("b", -1, 0)).toBe("a");
    expect(shapes.step("a", 0, 1)).toBe("c");
    expect(shapes.step("d", 1, 0)).toBeNull();
  });

  it("draws a hexside between its two hexes", () => {
    expect(shapes.hexside("a/b")).toBe("M150 71.1L150 128.9");
    expect(shapes.hexside("a/nowhere")).toBe("");
  });
});

describe("routes", () => {
  const roads = { "a/b": [100, 100, 150, 120, 200, 100] };

  it("follow the road as it is drawn, either way", () => {
    expect(routeAlong(["a", "b"], shapes, roads).points).toEqual([[100, 100], [150, 120], [200, 100]]);
    expect(routeAlong(["b", "a"], shapes, roads).points).toEqual([[200, 100], [150, 120], [100, 100]]);
  });

  it("go straight where there is no road, and stop in every hex", () => {
    const { points, stops } = routeAlong(["c", "a", "b"], shapes, roads);
    expect(points[0]).toEqual([150, 186.6]);
    expect(stops).toEqual([[100, 100], [200, 100]]);
  });

  it("begin at the edge of the counter", () => {
    const [first] = withoutStart([[0, 0], [100, 0]], 40);
    expect(first?.[0]).toBeCloseTo(40, 1);
    expect(smooth([[0, 0], [10, 0], [20, 0]])).toBe("M0 0Q10 0 20 0");
  });
});
