import { expect, it } from "vitest";
import { levelWords } from "./levels";
import type { GameInfo, Strength } from "./protocol";

const regular: Strength = { name: "regular", kind: "points", value: 300, low: 200, high: 400, games: 24, seconds: 4.2, scenario: "short" };
const game = { scenarios: [{ id: "short", title: "Six turns" }, { id: "long", title: "The campaign" }], strengths: [regular] } as unknown as GameInfo;

it("says how strong a level is, and how long it thinks", () =>
  expect(levelWords(game, "regular", "short")).toBe("Computer, regular: 300 points (200 to 400), thinks 4 s a turn"));

it("says where it was ranked, if that was in another scenario", () =>
  expect(levelWords(game, "regular", "long")).toBe("Computer, regular: 300 points (200 to 400), ranked in “Six turns”, thinks 4 s a turn"));

it("says nothing of a level that was never ranked", () => expect(levelWords(game, "veteran", "short")).toBe("Computer, veteran"));
