/** Since when the others have played a turn of theirs, as the log tells it. */

import type { State } from "./protocol";

/** So many choices of others in a row are more than an answer to one's own. */
const A_TURN = 3;

/** For a browser that has not seen the match before: from where on others last played a turn of theirs. */
export function sinceOwnTurn({ events, side, n }: State): number {
  const chosen = [...new Map(events.map(({ at, by }) => [at, by]))].filter(([at]) => at > 0);
  let run = 0;
  for (const [i, [, by]] of [...chosen.entries()].reverse()) {
    if (by !== side && by !== null) run += 1;
    else if (run >= A_TURN) return chosen[i]?.[0] ?? n;
    else run = 0;
  }
  return run >= A_TURN ? 0 : n;
}
