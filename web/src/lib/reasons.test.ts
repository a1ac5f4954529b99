import { describe, expect, it } from "vitest";
import { narrate, type Line } from "./options";
import type { Condition, GameEvent } from "./protocol";
import { diary, drawsAt, followersOf, NEAREST, reasonsOf, tallyOf } from "./reasons";

const event = (words: string, depth: number, more: Partial<GameEvent> = {}): GameEvent => ({ at: 0, by: null, rule: "1.0", words, dice: [], sides: 0, spaces: [], units: [], cards: [], kind: "", why: "", conditions: [], depth, step: "", ...more });
const counts = (holds: boolean, ...numbers: [string, number][]): Condition => ({ words: "", holds, effect: "", counts: numbers });
const told = (lines: readonly Line[] | undefined) => (lines ?? []).map(({ words }) => words);

const log = narrate([
  event("card", 1),
  event("order", 2),
  event("best hex", NEAREST),
  event("move", 0),
  event("other hex", NEAREST),
  event("second move", 0),
  event("target", NEAREST),
  event("attack", 3),
  event("one", 4, { kind: "draw", conditions: [counts(true, ["A", 1], ["B", 0]), counts(false, ["A", 5], ["B", 5])] }),
  event("between", 4, { kind: "aside" }),
  event("two", 4, { kind: "draw", conditions: [counts(true, ["A", 0], ["B", 2])] }),
  event("sum", 4, { kind: "result", conditions: [counts(true, ["A", 1], ["B", 2]), counts(true, ["A", 0], ["B", -1])] }),
  event("loss", 0),
  event("order of the next", 2),
  event("third move", 0),
]);
const of = (words: string) => log.find((line) => line.words === words)?.key ?? -1;

describe("chains of reasons", () => {
  const reasons = reasonsOf(log);

  it("go from what all hangs on to what led to the line alone", () => {
    expect(told(reasons.get(of("move")))).toEqual(["card", "order", "best hex"]);
    expect(told(reasons.get(of("second move")))).toEqual(["card", "order", "other hex"]);
    expect(told(reasons.get(of("loss")))).toEqual(["card", "order", "target", "attack", "one", "between", "two", "sum"]);
  });

  it("end where another reason of their depth begins", () => {
    expect(told(reasons.get(of("third move")))).toEqual(["card", "order of the next"]);
    expect(told(followersOf(log, reasons, of("order")))).toEqual(["move", "second move", "loss"]);
  });
});

describe("what is drawn", () => {
  it("belongs together up to its sum", () => {
    const draws = drawsAt(log, of("sum"));
    expect(told(draws?.drawn)).toEqual(["one", "two"]);
    expect(draws?.result?.words).toBe("sum");
  });

  it("is counted where it holds", () => {
    const { drawn } = drawsAt(log, of("one")) ?? { drawn: [] };
    expect([...tallyOf(drawn.flatMap(({ conditions }) => conditions))]).toEqual([["A", 1], ["B", 2]]);
  });

  it("is folded into its sum in the log", () => {
    expect(told(diary(log))).toEqual(["card", "order", "move", "second move", "attack", "sum", "loss", "order of the next", "third move"]);
  });
});
