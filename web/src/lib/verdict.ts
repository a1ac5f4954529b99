/** What dice have just decided at a place of the map, and what came of it. */

import { decides } from "./beats";
import { narrate } from "./options";
import { NEAREST } from "./reasons";
import type { GameEvent, ResultLook } from "./protocol";

export interface Verdict {
  words: string;
  more: string;
  dice: number[];
  space: string;
}

const MOST_SENTENCES = 2;
/** More rolls at once than these that decide no fight are arrivals and the like. */
const MOST_ROLLS = 2;

/** Of the last step in which anything was thrown: where rules go on by themselves, what was fought before is told by the story. */
export function verdictOf(news: readonly GameEvent[], results: readonly ResultLook[]): Verdict | null {
  const all = narrate(news).filter(({ depth }) => depth !== NEAREST);
  const last = all.findLast(({ dice }) => dice.length)?.step;
  const lines = all.filter(({ step }) => step === last);
  const rolls = lines.filter((line) => line.dice.length && !line.depth && line.spaces.length);
  const decided = rolls.findLast((line) => decides(line, results) || rolls.length <= MOST_ROLLS);
  if (!decided) return null;
  const after = lines.slice(lines.indexOf(decided) + 1).filter(({ heading }) => !heading);
  return {
    words: decided.words,
    more: after.slice(0, MOST_SENTENCES).map(({ words }) => words).join(" "),
    dice: decided.dice.map(({ value }) => value),
    space: decided.spaces[0] ?? "",
  };
}
