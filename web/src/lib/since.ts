/** Since when the others have played a turn of theirs, as the log tells it. */

import type { Scene, State } from "./protocol";

/** So many choices of others in a row are more than an answer to one's own. */
const A_TURN = 3;

/**
 * For a browser that has not seen the match before: from where on others last played a turn of theirs. Null where the log
 * is not there so far back.
 */
export function sinceOwnTurn({ events, skipped, side, n }: State): number | null {
  const chosen = [...new Map(events.map(({ at, by }) => [at, by]))].filter(([at]) => at > 0);
  let run = 0;
  for (const [i, [, by]] of [...chosen.entries()].reverse()) {
    if (by !== side && by !== null) run += 1;
    else if (run >= A_TURN) return chosen[i]?.[0] ?? n;
    else run = 0;
  }
  if (skipped) return null;
  return run >= A_TURN ? 0 : n;
}

/**
 * From where on others' doings are told when a match is opened; null where it does not wait for one, or they did nothing,
 * and undefined where the log is not there so far back.
 * Whoever sits at a seat of their own may come with another browser than the one that remembers their last choice.
 */
export function unseenFrom(state: State, leftAt: number | null): number | null | undefined {
  const { events, skipped, side, decision, table, held } = state;
  const seated = table !== null || held.includes(side ?? "");
  if (!decision?.mine || (leftAt === null && !seated)) return null;
  const from = leftAt === null ? sinceOwnTurn(state) : leftAt + 1;
  if (from === null) return undefined;
  if (events.some(({ at, by }) => at > from && by !== null && by !== side)) return from;
  return skipped && (events[0]?.at ?? 0) > from ? undefined : null;
}

/** How many of the enemy's units rules have moved; within a phase of one's own that is what came of one's choice. */
export function movedByRules(before: Scene, now: Scene, mine: (unit: string) => boolean, own: boolean): number {
  if (own && before.step === now.step) return 0;
  const old = new Map(before.pieces.map(({ unit, space }) => [unit, space]));
  return now.pieces.filter(({ unit, space }) => !mine(unit) && old.get(unit) !== space).length;
}
