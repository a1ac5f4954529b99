import { describe, expect, it } from "vitest";
import { sinceOwnTurn } from "./since";
import type { GameEvent, State } from "./protocol";

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
});
