/** What dice have just decided at a place of the map, and what came of it. */

import { narrate } from "./options";
import { NEAREST } from "./reasons";
import type { GameEvent } from "./protocol";

export interface Verdict {
  words: string;
  more: string;
  dice: number[];
  space: string;
}

const MOST_SENTENCES = 2;

export function verdictOf(news: readonly GameEvent[]): Verdict | null {
  const lines = narrate(news).filter(({ depth }) => depth !== NEAREST);
  const decided = lines.findLast((line) => line.dice.length && !line.depth && line.spaces.length);
  if (!decided) return null;
  const after = lines.slice(lines.indexOf(decided) + 1).filter(({ heading }) => !heading);
  return {
    words: decided.words,
    more: after.slice(0, MOST_SENTENCES).map(({ words }) => words).join(" "),
    dice: decided.dice.map(({ value }) => value),
    space: decided.spaces[0] ?? "",
  };
}
