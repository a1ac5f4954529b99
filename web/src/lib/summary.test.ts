import { describe, expect, it } from "vitest";
import { beatsOf } from "./beats";
import type { GameEvent, Piece, Telling } from "./protocol";
import { purposeOf, waiting, type Toll } from "./summary";
import { words } from "./words";

const nothing: Toll = { took: [], attacks: 0, moved: 0, own: { units: 0, steps: 0 }, theirs: { units: 0, steps: 0 }, threatened: [], ails: [], goesOn: false };

describe("the sentence before a summary", () => {
  it("names a few of many", () => {
    expect(words.byThese(["A", "B"])).toBe("By A and B");
    expect(words.withOthers(["A", "B", "C", "D", "E"])).toBe("with A, B, C and two others");
  });

  it("says what has become of own units", () => {
    expect(words.toldLead("Red", { ...nothing, moved: 1, ails: ["out of supply", "out of supply"] })).toBe("Red moved one unit and attacked nobody. Two units of yours are out of supply now.");
    expect(words.toldLead("Red", { ...nothing, attacks: 1, ails: ["out of supply", "disrupted"] })).toBe("Red attacked once. Two units of yours are in trouble now.");
  });

  it("says what they took, what it cost and what is in danger", () => {
    const toll = { ...nothing, took: ["Clervaux", "Vianden"], attacks: 4, own: { units: 2, steps: 0 }, theirs: { units: 0, steps: 1 }, threatened: ["Bastogne"] };
    expect(words.toldLead("the Germans", toll)).toBe("The Germans took Clervaux and Vianden and attacked four times. You lost two units, they lost one step. Bastogne is threatened.");
  });

  it("leaves out what did not happen", () => {
    expect(words.toldLead("Red", { ...nothing, moved: 2 })).toBe("Red moved two units and attacked nobody.");
    expect(words.toldLead("the Allies", nothing)).toBe("The Allies did nothing that can be seen.");
    expect(words.toldLead("Red", { ...nothing, moved: 2, goesOn: true })).toBe("Red moved two units.");
    expect(words.toldTitle("Red", true)).toBe("What Red has done so far");
    expect(words.toldLead("Red", { ...nothing, moved: 1, attacks: 2 })).toBe("Red moved one unit and attacked twice.");
    expect(words.toldLead("Red", { ...nothing, attacks: 1, threatened: ["A", "B"] })).toBe("Red attacked once. A and B are threatened.");
  });

  it("names a few of many places", () => {
    expect(words.toldLead("Red", { ...nothing, took: ["A", "B", "C", "D", "E"] })).toBe("Red took A, B, C and two other places.");
  });
});

const piece = (unit: string, space: string): Piece => ({ unit, space, steps: 2, flags: [] });
const event = (said: string, more: Partial<GameEvent> = {}): GameEvent => ({ at: 1, by: null, rule: "1.0", words: said, dice: [], sides: 0, spaces: [], units: [], cards: [], kind: "", why: "", conditions: [], depth: 0, step: "", ...more });
const telling = (events: GameEvent[], moved: Piece[]): Telling => ({
  since: 0,
  pieces: [piece("A", "0101"), piece("B", "0101")],
  scores: [],
  changes: {},
  frames: [{ n: 1, by: "Blue", turn: 1, step: "next", moved, gone: [], events }],
});
const results = [{ id: "DR", name: "retreat", words: "Defenders retreat.", tone: "retreat" }];

describe("what for", () => {
  it("is said in a few words, and not where nobody had a place in mind", () => {
    expect(purposeOf("0324 Namur: hold Namur: 4 roads, 4 points")).toBe("to hold Namur");
    expect(purposeOf("0802: towards Bastogne")).toBe("towards Bastogne");
    expect(purposeOf("there is no other choice")).toBe("");
    expect(purposeOf("1212: +21.5 better than the worst of 195 options")).toBe("");
  });
});

describe("who is lost", () => {
  it("is not who waits beside the map", () => {
    const scene = { waiting: [{ box: "lost", units: ["A"] }, { box: "pool", units: ["B"] }] };
    expect([...waiting({ state: { scene } } as never)]).toEqual(["B"]);
  });
});

describe("what is told of a turn", () => {
  it("tells together who appears in one place, and gives each march its reason", () => {
    const why = event("A moves", { units: ["A"], spaces: ["0101", "0102"], why: "0102: cover the town" });
    const beats = beatsOf(telling([why], [piece("C", "0109"), piece("A", "0102"), piece("D", "0109")]), (unit, _, others = 0) => `${unit}+${others}`);
    expect(beats.map(({ words, along, why }) => [words, along, why])).toEqual([["C+1", ["D"], ""], ["A+0", [], "0102: cover the town"]]);
  });

  it("knows a fight from a roll for something else", () => {
    const fight = event("The attack on 0102 gives DR.", { dice: [3], sides: 6, spaces: ["0102"] });
    const arrival = event("A is in 0102", { dice: [3], sides: 6, spaces: ["0102"] });
    expect(beatsOf(telling([fight], []), (unit) => unit, results).map(({ kind }) => kind)).toEqual(["clash"]);
    expect(beatsOf(telling([arrival], []), (unit) => unit, results).map(({ kind }) => kind)).toEqual(["news"]);
  });

  it("follows the way that the log tells, not the line to its end", () => {
    const way = event("A moves", { units: ["A"], spaces: ["0101", "0102", "0103"] });
    expect(beatsOf(telling([way], [piece("A", "0103")]), (unit) => unit)[0]?.path).toEqual(["0101", "0102", "0103"]);
  });

  it("tells a battle by rules in its order: who came together, then the fight with all that came of it", () => {
    const beats = beatsOf(
      telling(
        [
          event("guns fire", { dice: [1], sides: 6, rule: "4.0" }),
          event("A, B move", { kind: "move", units: ["A", "B"], spaces: ["0101", "0102"] }),
          event("assault in 0102", { kind: "battle", spaces: ["0102"] }),
          event("counted up"),
          event("fire", { dice: [1, 2], sides: 6, rule: "2.0" }),
          event("one hit", { kind: "result", rule: "3.0" }),
        ],
        [piece("A", "0102"), piece("B", "0102")],
      ),
      (unit) => unit,
    );
    expect(beats.map(({ kind, words: said, along, dice }) => [kind, said, along, dice])).toEqual([
      ["news", "guns fire", [], [1]],
      ["march", "A, B move", ["B"], []],
      ["clash", "assault in 0102", [], [1, 2]],
    ]);
    expect(beats[2]?.more).toEqual(["one hit"]);
  });
});
