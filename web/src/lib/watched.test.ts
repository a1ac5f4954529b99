import { beforeEach, describe, expect, it, vi } from "vitest";
import type { TableSummary } from "./protocol";
import { forgetWatched, rememberWatched, standingOf, watched, type Watched } from "./watched";

const seen = (id: string, turn = 2): Watched => ({ id, game: "a game", token: "", turn, touched: "2026-01-02T10:00:00Z" });
const now = (fields: Partial<TableSummary>) => ({ turn: 2, touched: "2026-01-02T10:00:00Z", ending: null, ...fields }) as TableSummary;

describe("matches that one watches", () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
  });

  it("are remembered, the latest first and each once, until one forgets them", () => {
    for (const each of [seen("a"), seen("b"), seen("a", 3)]) rememberWatched(each);
    expect(watched()).toEqual([seen("a", 3), seen("b")]);
    forgetWatched("a");
    expect(watched()).toEqual([seen("b")]);
  });

  it("are twenty at most", () => {
    for (let i = 0; i < 25; i++) rememberWatched(seen(String(i)));
    expect(watched().map(({ id }) => id)).toHaveLength(20);
    expect(watched()[0]?.id).toBe("24");
  });

  it("are none where what was kept is no list of them", () => {
    kept.set("bulge.watched", '[null, {"id": 1}]');
    expect(watched()).toEqual([]);
    kept.set("bulge.watched", "{");
    expect(watched()).toEqual([]);
  });

  it("say how far they have gone on, or that they are over or gone", () => {
    expect(standingOf(seen("a"), now({}))).toBe("nothing new since you looked");
    expect(standingOf(seen("a"), now({ touched: "2026-01-02T10:00:01Z" }))).toBe("moved on since you looked");
    expect(standingOf(seen("a"), now({ turn: 3 }))).toBe("one turn behind");
    expect(standingOf(seen("a"), now({ turn: 5 }))).toBe("3 turns behind");
    expect(standingOf(seen("a"), now({ ending: { how: "resigned", winner: "x", words: "X resigned." } }))).toBe("over: X resigned.");
    expect(standingOf(seen("a"), null)).toBe("can be seen no more");
  });
});
