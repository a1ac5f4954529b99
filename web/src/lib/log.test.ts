import { describe, expect, it } from "vitest";
import { asOf, joined, lengthOf, linesFrom, withEarlier, type Log } from "./log";
import { freshDraws } from "./reasons";
import { narrate } from "./options";
import type { GameEvent, State } from "./protocol";

/** Lines that are called by their numbers. */
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ words: String(from + i), at: from + i, dice: [] as number[], kind: "" }) as GameEvent);
const state = (more: Partial<State>): State => ({ rev: 1, side: "Blue", n: 0, skipped: 0, events_from: 0, events: [], ...more }) as State;
const told = ({ events, skipped }: Log) => [skipped, events.map(({ words }) => Number(words))];

describe("the log as far as a page has it", () => {
  const page = state({ skipped: 10, events: lines(10, 14) });

  it("goes on with what is new", () => {
    expect(told(joined(page, state({ rev: 2, events_from: 14, events: lines(14, 15) })))).toEqual([10, [10, 11, 12, 13, 14]]);
  });

  it("loses what was taken back, also beyond what is there", () => {
    expect(told(joined(page, state({ rev: 2, events_from: 12, events: [] })))).toEqual([10, [10, 11]]);
    expect(told(joined(page, state({ rev: 2, events_from: 7, events: lines(7, 8) })))).toEqual([7, [7]]);
  });

  it("begins anew where something between is not sent, so that it has no hole", () => {
    expect(told(joined(page, state({ rev: 2, events_from: 12, skipped: 30, events: lines(42, 44) })))).toEqual([42, [42, 43]]);
  });

  it("keeps what was asked for when the same state is told again, as after a lost line", () => {
    const read = state({ skipped: 2, events: lines(2, 14) });
    expect(told(joined(read, page))).toEqual(told(read));
    expect(told(joined(read, { ...page, rev: 2 }))).toEqual(told(page));
    expect(told(joined(read, { ...page, side: "Red" }))).toEqual(told(page));
  });

  it("grows by pages from before it", () => {
    expect(told(withEarlier(page, { first: 8, events: lines(8, 10) }))).toEqual([8, [8, 9, 10, 11, 12, 13]]);
  });

  it("counts lines from the beginning of the match", () => {
    expect(lengthOf(page)).toBe(14);
    expect(linesFrom(page, 12).map(({ words }) => words)).toEqual(["12", "13"]);
    expect(linesFrom(page, 3)).toHaveLength(4);
    expect(narrate(page.events, page.skipped).map(({ key }) => key)).toEqual([10, 11, 12, 13]);
    const drawn = { ...page, events: [...lines(10, 13), { ...(lines(13, 14)[0] as GameEvent), kind: "draw", spaces: [] as string[] }] };
    expect(freshDraws(drawn, 14)).toBeNull();
    expect(freshDraws(drawn, 13)?.drawn).toHaveLength(1);
  });

  it("is read back at a moment of the past as far as the present one is there", () => {
    const past = state({ n: 12, skipped: 11, events: lines(11, 13) });
    expect(told(asOf(page, past))).toEqual([10, [10, 11, 12]]);
    expect(told(asOf({ ...page, skipped: 11 }, past))).toEqual([11, [11, 12]]);
  });
});
