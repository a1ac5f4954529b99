import type { Overlay } from "../lib/protocol";
import { describe, expect, it } from "vitest";
import { layOut, plateUnder } from "./stacks";
import { traysOf } from "./trays";
import { concerns, groupsOf } from "./overlays";
import { Shapes } from "../lib/geometry";
import type { Piece } from "../lib/protocol";

const shapes = new Shapes({ spaces: [{ id: "a", x: 20, y: 100, name: "", words: "", kind: "hex", width: 0, height: 0 }], hex_width: 100, pointy: true, width: 500, height: 300 });
const piece = (unit: string): Piece => ({ unit, space: "a", steps: 1, flags: [] });
const stacks = new Map([["a", [piece("top"), piece("under")]]]);

describe("stacks", () => {
  it("lean, with the first unit drawn last", () => {
    const placed = layOut(stacks, shapes, null, null, () => "Blue");
    expect(placed.map(({ piece }) => piece.unit)).toEqual(["under", "top"]);
    expect(plateUnder(placed)).toBeNull();
  });

  it("say on the top counter what those below it bear, once each, and where the lowest lies", () => {
    const marked = [piece("top"), { ...piece("middle"), flags: ["a", "b"] }, { ...piece("under"), flags: ["b"] }];
    const placed = layOut(new Map([["a", marked]]), shapes, null, null, () => "Blue");
    expect(placed.map(({ below }) => below)).toEqual([[], [], ["a", "b"]]);
    const [lowest, , top] = placed;
    expect([(lowest?.x ?? 0) - (top?.x ?? 0), (lowest?.y ?? 0) - (top?.y ?? 0)]).toEqual(top?.toLowest);
    const open = layOut(new Map([["a", marked]]), shapes, "a", null, () => "Blue");
    expect(open.every(({ below }) => !below.length)).toBe(true);
  });

  it("open inside the map", () => {
    const placed = layOut(stacks, shapes, "a", null, () => "Blue");
    expect(placed.every(({ x, open }) => open && x >= 50)).toBe(true);
    expect(plateUnder(placed)?.before).toBe("top");
  });
});

describe("spaces and boxes", () => {
  const place = (id: string, kind: string, x: number, width: number, height = width) => ({ id, x, y: 200, name: id, words: "", kind, width, height });
  const map = new Shapes({ spaces: [place("town", "space", 100, 112), place("box", "box", 500, 262, 300)], hex_width: 0, pointy: false, width: 900, height: 500 });
  const pieces = (space: string, units: string[]): Piece[] => units.map((unit) => ({ unit, space, steps: 1, flags: [] }));
  const sideOf = (unit: string) => unit.charAt(0);

  it("keep enemies apart, and say how high a stack is", () => {
    const placed = layOut(new Map([["town", pieces("town", ["A1", "A2", "A3", "A4", "A5", "B1"])]]), map, null, null, sideOf);
    const side = (name: string) => placed.filter(({ piece }) => piece.unit.startsWith(name));
    expect(Math.max(...side("A").map(({ x }) => x))).toBeLessThan(Math.min(...side("B").map(({ x }) => x)));
    expect(placed.filter(({ count }) => count).map(({ piece, count }) => [piece.unit, count])).toEqual([["A1", 5]]);
  });

  it("hold a stack in a tray beside them: all of it to be seen, sides in rows of their own, nothing covered, nothing off the map", () => {
    const stacks = new Map([["town", pieces("town", ["A1", "A2", "A3", "A4", "A5", "B1"])]]);
    const trays = traysOf(stacks, map, sideOf);
    const tray = trays.get("town");
    if (!tray) throw new Error("the town has no tray");
    expect(tray.x - tray.width / 2).toBeGreaterThanOrEqual(0);
    expect(Math.abs(tray.y - 200) - tray.height / 2 >= 56 || Math.abs(tray.x - 100) - tray.width / 2 >= 56).toBe(true);
    expect(tray.x + tray.width / 2 <= 369 || Math.abs(tray.y - 200) - tray.height / 2 >= 150).toBe(true);
    const placed = layOut(stacks, map, "town", null, sideOf, trays);
    expect(new Set(placed.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`)).size).toBe(6);
    const rows = (side: string) => new Set(placed.filter(({ piece }) => piece.unit.startsWith(side)).map(({ y }) => Math.round(y)));
    expect([...rows("A")].some((y) => rows("B").has(y))).toBe(false);
  });

  it("leave one counter where it is, and hexes as they are", () => {
    expect(traysOf(new Map([["town", pieces("town", ["A1"])], ["box", pieces("box", ["A2", "A3"])]]), map, sideOf).size).toBe(0);
    expect(traysOf(stacks, shapes, sideOf).size).toBe(0);
  });

  it("show every counter of a box, inside it and none on another, however many", () => {
    for (const many of [1, 9, 20]) {
      const units = Array.from({ length: many }, (_, i) => `A${i}`);
      const placed = layOut(new Map([["box", pieces("box", units)]]), map, null, null, sideOf);
      const half = (placed[0]?.size ?? 1) * 34;
      for (const { x, y } of placed) {
        expect(Math.abs(x - 500) + half).toBeLessThanOrEqual(131);
        expect(Math.abs(y - 200) + half).toBeLessThanOrEqual(150);
      }
      expect(new Set(placed.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`)).size).toBe(many);
    }
  });

  it("are found under a point by their shape", () => {
    expect(map.under([100, 250])).toBe("town");
    expect(map.under([145, 245])).toBeNull();
    expect(map.under([380, 70])).toBe("box");
    expect(map.under([300, 200])).toBeNull();
  });
});

describe("overlays", () => {
  const overlay = (id: string, side: string, pattern: string, group = ""): Overlay => ({ id, name: id, rule: "8.1", group, side, pattern, holds: "" });

  it("of one group are switched together", () => {
    const groups = groupsOf([overlay("a", "Blue", "zones", "Zones"), overlay("b", "Red", "zones", "Zones"), overlay("fog", "", "area")]);
    expect(groups.map(({ name, members }) => [name, members.length])).toEqual([["Zones", 2], ["fog", 1]]);
  });

  it("of a side are shown to whom they concern", () => {
    const all = [overlay("zb", "Blue", "zones"), overlay("zr", "Red", "zones"), overlay("sb", "Blue", "supply"), overlay("sr", "Red", "supply"), overlay("front", "", "line")];
    const shown = (me: string | null) => all.filter((each) => concerns(each, me)).map(({ id }) => id);
    expect(shown("Blue")).toEqual(["zr", "sb", "front"]);
    expect(shown(null)).toHaveLength(5);
  });
});
