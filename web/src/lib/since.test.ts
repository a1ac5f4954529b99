import { describe, expect, it } from "vitest";
import { movedByRules, sinceOwnTurn, unseenFrom } from "./since";
import type { GameEvent, Scene, State } from "./protocol";

/** A match in which these have chosen, one after the other. */
function played(...by: (string | null)[]): State {
  const events = by.map((side, i) => ({ at: i + 1, by: side }) as GameEvent);
  return { events, side: "Blue", n: by.length } as State;
}

describe("what changed since one's last turn, for a browser that has not seen the match before", () => {
  it("begins with the last choice of one's own before a turn of the others", () => {
    expect(sinceOwnTurn(played("Blue", "Blue", "Red", "Red", "Red"))).toBe(2);
  });

  it("leaves out what one has answered since", () => {
    expect(sinceOwnTurn(played("Blue", "Red", "Red", "Red", "Blue", "Red", "Blue"))).toBe(1);
  });

  it("takes answers within one's own turn for no turn of theirs", () => {
    expect(sinceOwnTurn(played("Blue", "Red", "Blue", "Red", "Blue"))).toBe(5);
  });

  it("begins at the start where others have played first", () => {
    expect(sinceOwnTurn(played("Red", "Red", "Red"))).toBe(0);
  });

  it("cannot be said where the log is not there so far back", () => {
    const missing = { skipped: 40 };
    expect(sinceOwnTurn({ ...played("Red", "Red", "Red"), ...missing })).toBeNull();
    expect(sinceOwnTurn({ ...played("Red", "Blue", "Blue"), ...missing })).toBeNull();
    expect(sinceOwnTurn({ ...played("Blue", "Red", "Red", "Red"), ...missing })).toBe(1);
  });
});

describe("what is told on opening", () => {
  const mine = { mine: true } as State["decision"];
  const among = (...by: (string | null)[]) => ({ ...played(...by), decision: mine, table: {}, held: [] }) as unknown as State;

  it("begins after one's own last choice, where this browser remembers it", () => {
    expect(unseenFrom(among("Blue", "Red", "Red", "Red"), 0)).toBe(1);
  });

  it("is the others' last turn in a browser that has not seen the match before", () => {
    expect(unseenFrom(among("Red", "Red", "Red"), null)).toBe(0);
    expect(unseenFrom(among("Blue", "Blue", "Red", "Red", "Red"), null)).toBe(2);
    expect(unseenFrom({ ...among("Red", "Red", "Red"), table: null, held: ["Blue"] }, null)).toBe(0);
  });

  it("is not known yet where the log is not there so far back", () => {
    const part = (...by: (string | null)[]) => ({ ...among(...by), skipped: 40 });
    expect(unseenFrom(part("Red", "Red", "Red"), null)).toBeUndefined();
    expect(unseenFrom(part("Blue", "Blue"), -2)).toBeUndefined();
    expect(unseenFrom(part("Blue", "Red"), -2)).toBe(-1);
    expect(unseenFrom(part("Blue", "Blue"), 1)).toBeNull();
  });

  it("is nothing where one plays alone in a browser that has not seen the match, or nothing waits", () => {
    expect(unseenFrom({ ...among("Red", "Red", "Red"), table: null }, null)).toBeNull();
    expect(unseenFrom({ ...among("Red", "Red", "Red"), decision: null }, null)).toBeNull();
    expect(unseenFrom(among("Red", "Blue"), 1)).toBeNull();
    expect(unseenFrom(among("Blue", "Red", "Blue"), null)).toBeNull();
  });
});

describe("what rules moved after a choice of one's own", () => {
  const scene = (step: string, space: string): Scene => ({ step, pieces: [{ unit: "mine", space }, { unit: "theirs", space }] }) as unknown as Scene;
  const mine = (unit: string) => unit === "mine";

  it("is told in the enemy's phase, also before that phase is over: a breakthrough after hits were shared out", () => {
    expect(movedByRules(scene("german_assault", "N3"), scene("german_assault", "N2"), mine, false)).toBe(1);
    expect(movedByRules(scene("us_fire", "N3"), scene("german_assault", "N2"), mine, true)).toBe(1);
  });

  it("is what came of one's own doing within a phase of one's own", () => {
    expect(movedByRules(scene("us_assault", "N3"), scene("us_assault", "N2"), mine, true)).toBe(0);
  });
});
