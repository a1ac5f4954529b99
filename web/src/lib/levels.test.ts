import { expect, it } from "vitest";
import { levelWords, levelsHelp } from "./levels";
import type { GameInfo, Strength } from "./protocol";

const regular: Strength = { name: "regular", kind: "points", value: 300, low: 200, high: 400, games: 24, seconds: 4.2, scenario: "short" };
const game = { levels: ["regular", "veteran"], scenarios: [{ id: "short", title: "Six turns" }, { id: "long", title: "The campaign" }], strengths: [regular] } as unknown as GameInfo;

it("says how strong a level is, and how long it thinks", () =>
  expect(levelWords(game, "regular", "short")).toBe("Computer, regular: strength 300 (200 to 400), thinks 4 s a turn"));

it("has no brackets around what the others are measured from", () =>
  expect(levelWords({ ...game, strengths: [{ ...regular, value: 0, low: 0, high: 0 }] }, "regular", "short")).toBe("Computer, regular: strength 0, thinks 4 s a turn"));

it("says where it was ranked, if that was in another scenario", () =>
  expect(levelWords(game, "regular", "long")).toBe("Computer, regular: strength 300 (200 to 400) in “Six turns”, thinks 4 s a turn"));

it("says so of a level that was never ranked", () => expect(levelWords(game, "veteran", "short")).toBe("Computer, veteran: not ranked"));

it("explains its figures, where it has any", () => {
  const alone: Strength = { ...regular, kind: "won", value: 0.72, low: 0.63, high: 0.79 };
  expect(levelsHelp(game)).toMatch(/as in chess: 0 is random play, and 100 more win 64 games of 100/);
  expect(levelsHelp({ ...game, strengths: [alone] })).toMatch(/^Wins are of a hundred games/);
  expect(levelsHelp({ ...game, strengths: [] })).toBe("");
  expect(levelsHelp({ ...game, levels: ["veteran"] })).toBe("");
});
