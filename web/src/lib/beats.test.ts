import { describe, expect, it } from "vitest";
import { beatsOf, legsOf } from "./beats";
import type { GameEvent, Piece, Telling } from "./protocol";

const piece = (unit: string, space: string): Piece => ({ unit, space, steps: 2, flags: [] });
const event = (words: string, more: Partial<GameEvent> = {}): GameEvent => ({ at: 1, by: null, rule: "1.0", words, dice: [], sides: 0, spaces: [], units: [], cards: [], kind: "", why: "", conditions: [], depth: 0, step: "", ...more });
const hits = [{ words: "", holds: true, effect: "", counts: [["Blue", 1] as [string, number]] }];

/** A whole impulse that rules played after one choice. */
const telling: Telling = {
  since: 0,
  pieces: [piece("A", "0101"), piece("B", "0105")],
  scores: [],
  changes: {},
  frames: [
    {
      n: 1,
      by: "Blue",
      turn: 1,
      step: "next",
      moved: [piece("A", "0103"), piece("B", "0106")],
      gone: [],
      events: [
        event("Red impulse.", { kind: "phase" }),
        event("card one", { kind: "card", depth: 1, cards: ["1"] }),
        event("one commands", { kind: "card", depth: 1, cards: ["1", "2"] }),
        event("A marches", { kind: "move", units: ["A"], spaces: ["0101", "0102", "0103"] }),
        event("no attack", { kind: "passed", spaces: ["0104"] }),
        event("Attack on 0105", { kind: "battle", spaces: ["0105"], depth: 3 }),
        event("first", { kind: "draw", spaces: ["0105"], conditions: hits, depth: 4 }),
        event("second", { kind: "draw", spaces: ["0105"], conditions: hits, depth: 4 }),
        event("two hits", { kind: "result", spaces: ["0105"], conditions: hits, depth: 4 }),
        event("B retreats", { kind: "retreat", units: ["B"], spaces: ["0105", "0106"] }),
      ],
    },
  ],
};

describe("an impulse that rules played", () => {
  const beats = beatsOf(telling, (unit) => unit);

  it("is told in the order of its lines", () => {
    expect(beats.map(({ kind, head }) => [kind, head])).toEqual([["order", "Red impulse"], ["march", "Red impulse"], ["clash", "Red impulse"]]);
    expect(beats[0]?.cards).toEqual(["1", "2"]);
    expect(beats[1]?.path).toEqual(["0101", "0102", "0103"]);
  });

  it("turns up what was drawn one by one, and then tells what came of it", () => {
    const fight = beats[2];
    expect(fight?.draws?.drawn.map(({ words }) => words)).toEqual(["first", "second"]);
    expect(fight && legsOf(fight)).toBe(2);
    expect(fight?.more).toEqual(["two hits", "B retreats"]);
    expect(fight?.after.get("B")?.space).toBe("0106");
  });
});

describe("a choice after which rules move many", () => {
  const frame = {
    n: 2,
    by: "Blue",
    turn: 1,
    step: "blue_fire",
    moved: [piece("A", "0103"), piece("B", "0106"), piece("C", "0103")],
    gone: [],
    events: [
      event("Guns fire: 0 hits.", { rule: "2.0", dice: [2], sides: 6, step: "red_guns" }),
      event("A and C move.", { units: ["A", "C"], spaces: ["0103"], step: "red_moves" }),
      event("B moves.", { units: ["B"], spaces: ["0106"], step: "red_moves" }),
    ],
  };
  const beats = beatsOf({ since: 1, pieces: [piece("A", "0101"), piece("B", "0105"), piece("C", "0101")], scores: [], changes: {}, frames: [frame] }, (unit, _, others = 0) => `${unit}+${others}`);

  it("tells together who goes the same way", () => {
    expect(beats.map(({ words, along }) => [words, along])).toEqual([["Guns fire: 0 hits.", []], ["A+1", ["C"]], ["B+0", []]]);
  });

  it("shows nobody where he has not yet gone", () => {
    expect(beats.map(({ after }) => [after.get("A")?.space, after.get("B")?.space])).toEqual([["0101", "0105"], ["0103", "0105"], ["0103", "0106"]]);
  });

  it("has the phase in which each thing happened, not the one that it led to", () => {
    expect(beats.map(({ step }) => step)).toEqual(["red_guns", "red_moves", "red_moves"]);
  });
});
