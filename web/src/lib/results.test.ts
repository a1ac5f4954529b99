import { describe, expect, it } from "vitest";
import type { Chart, Preview } from "./protocol";
import { chartOf, resultIn, roomFor } from "./results";

const chart = (id: string): Chart => ({ id, title: id, rule: "10.0", columns: ["Die", "1-1", "2-1"], rows: [] });
const preview = (column: string, named: string): Preview => ({ words: "", attack: 1, defence: 1, modifiers: [], column, chances: [], chart: named, of: "", others: [] });

describe("the chart of an attack", () => {
  const charts = [chart("initial"), chart("standard")];

  it("is the one that the attack names", () => {
    expect(chartOf(charts, preview("2-1", "standard"))?.id).toBe("standard");
  });

  it("is the first with its column, where it names none", () => {
    expect(chartOf(charts, preview("2-1", ""))?.id).toBe("initial");
    expect(chartOf(charts, preview("7-1", ""))).toBeNull();
    expect(chartOf(charts, null)).toBeNull();
  });
});

describe("the result that a sentence names", () => {
  const results = ["A1", "ENG", "A1/ENG", "FF", "FF(+1)", "DR2"].map((id) => ({ id, name: id, words: "", tone: "none" }));
  const named = (sentence: string) => resultIn(results, sentence)?.id;

  it("is found whatever signs it is written with", () => {
    expect(named("The result is FF(+1).")).toBe("FF(+1)");
    expect(named("The result is A1/ENG.")).toBe("A1/ENG");
    expect(named("The result is FF.")).toBe("FF");
    expect(named("DR2 in the woods")).toBe("DR2");
  });

  it("is no part of another word", () => {
    expect(named("DR20, OFF, A10")).toBeUndefined();
  });
});

describe("room in the bar of odds", () => {
  it("is for all of a part's words or for none", () => {
    expect(roomFor("3 or more hits", 0.7)).toBe("all");
    expect(roomFor("DR", 1 / 6)).toBe("all");
    expect(roomFor("2 hits", 0.18)).toBe("percent");
    expect(roomFor("1 hit", 0.09)).toBeNull();
    expect(roomFor("0 hits", 0.02)).toBeNull();
  });
});
