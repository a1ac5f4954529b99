import { describe, expect, it } from "vitest";

import { Names } from "./names";
import type { Look } from "./protocol";

const phases = [
  { step: "red_guns", side: "Red", name: "Artillery supply", also: ["red_fire", "red_fuel"] },
  { step: "weather", side: "", name: "Weather", also: [] },
];
const look = { faces: [], spaces: [], flags: [], cards: [], styles: [], sides: [{ id: "Red", name: "Red" }], phases } as unknown as Look;

describe("the phase of a step", () => {
  it.each([
    ["red_guns", "Red artillery supply"],
    ["red_fuel", "Red artillery supply"],
    ["weather", "Weather"],
  ])("%s", (step, said) => expect(new Names(look, []).phaseOf(step)).toBe(said));
});
