import { describe, expect, it } from "vitest";
import { layOut, plateUnder } from "./stacks";
import { concerns, groupsOf } from "./overlays";
import { Shapes } from "../lib/geometry";
import type { Piece } from "../lib/protocol";

const shapes = new Shapes({ spaces: [{ id: "a", x: 20, y: 100, name: "", words: "", kind: "hex" }], hex_width: 100, pointy: true, width: 500, height: 300 });
const piece = (unit: string): Piece => ({ unit, space: "a", steps: 1, flags: [] });
const stacks = new Map([["a", [piece("top"), piece("under")]]]);

describe("stacks", () => {
  it("lean, with the first unit drawn last", () => {
    const placed = layOut(stacks, shapes, null, null);
    expect(placed.map(({ piece }) => piece.unit)).toEqual(["under", "top"]);
    expect(plateUnder(placed)).toBeNull();
  });

  it("open inside the map", () => {
    const placed = layOut(stacks, shapes, "a", null);
    expect(placed.every(({ x, open }) => open && x >= 50)).toBe(true);
    expect(plateUnder(placed)?.before).toBe("top");
  });
});

describe("overlays", () => {
  it("of one kind are switched together", () => {
    const groups = groupsOf([
      { id: "zones_german", name: "German zones", rule: "8.1" },
      { id: "zones_allied", name: "Allied zones", rule: "8.1" },
      { id: "fog", name: "Fog", rule: "9" },
    ]);
    expect(groups.map(({ name, members }) => [name, members.length])).toEqual([["Zones of control", 2], ["Fog", 1]]);
  });

  it("of a side are shown to whom they concern", () => {
    const sides = [
      { id: "Blue", name: "Blue", polarity: "dark" as const },
      { id: "Red", name: "Red", polarity: "light" as const },
    ];
    const all = ["zones_blue", "zones_red", "supply_blue", "supply_red", "front"];
    expect(all.filter((id) => concerns(id, sides, "Blue"))).toEqual(["zones_red", "supply_blue", "front"]);
    expect(all.filter((id) => concerns(id, sides, null))).toEqual(all);
  });
});
