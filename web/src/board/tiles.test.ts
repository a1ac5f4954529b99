import { describe, expect, it } from "vitest";
import { levelFor, tilesOf, tooCoarse } from "./tiles";

const SHRUNK = [4, 2, 1];

describe("tiles", () => {
  it("are as coarse as the scale allows", () => {
    expect([0.2, 0.27, 0.3, 0.5, 0.62, 1, 2.6].map((pixels) => levelFor(SHRUNK, pixels))).toEqual([4, 4, 2, 2, 1, 1, 1]);
    expect([0.5, 1, 1.2].map((pixels) => tooCoarse(SHRUNK, pixels))).toEqual([false, false, true]);
  });

  it("cover the view and a little more, and never leave the map", () => {
    const view = { left: 1100, top: 1100, right: 1900, bottom: 1400 };
    const found = tilesOf(view, 512, 2600, 1500);
    const [columns, rows] = [new Set(found.map(([column]) => column)), new Set(found.map(([, row]) => row))];
    expect([...columns]).toEqual([1, 2, 3, 4]);
    expect([...rows]).toEqual([1, 2]);
  });

  it("cover a view that is larger than the map", () => {
    expect(tilesOf({ left: -900, top: -900, right: 9000, bottom: 9000 }, 512, 1000, 500)).toEqual([[0, 0], [1, 0]]);
  });
});
