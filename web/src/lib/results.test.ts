import { describe, expect, it } from "vitest";
import type { Chart, Preview } from "./protocol";
import { chartOf } from "./results";

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
