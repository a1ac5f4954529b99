/** The luck ledger: what dice owed and what they gave. */

import { commitmentOf } from "./dice";
import type { GameEvent } from "./protocol";
import { words } from "./words";

export interface Account {
  who: string;
  sides: number;
  rolls: number;
  mean: number;
  expected: number;
  /** Standard deviations from what was to be expected. */
  deviation: number;
  faces: number[];
}

export function ledger(events: readonly GameEvent[], nameOf: (side: string) => string): Account[] {
  const thrown = new Map<string, { who: string; sides: number; dice: number[] }>();
  const book = (who: string, sides: number, dice: number[]) => {
    const key = `${who} ${sides}`;
    const account = thrown.get(key) ?? { who, sides, dice: [] };
    account.dice.push(...dice);
    thrown.set(key, account);
  };
  for (const { dice, sides, by } of events) {
    if (!dice.length || sides < 2) continue;
    book(words.everybody, sides, dice);
    if (by) book(nameOf(by), sides, dice);
  }
  return [...thrown.values()].map(({ who, sides, dice }) => account(who, sides, dice));
}

function account(who: string, sides: number, dice: number[]): Account {
  const rolls = dice.length;
  const mean = dice.reduce((sum, die) => sum + die, 0) / rolls;
  const expected = (sides + 1) / 2;
  const spread = Math.sqrt((sides * sides - 1) / 12 / rolls);
  const faces = Array.from({ length: sides }, (_, i) => dice.filter((die) => die === i + 1).length);
  return { who, sides, rolls, mean, expected, deviation: (mean - expected) / spread, faces };
}

export function verdict(deviation: number): string {
  if (deviation > 2) return words.luckVeryHigh;
  if (deviation > 1) return words.luckHigh;
  if (deviation < -2) return words.luckVeryLow;
  if (deviation < -1) return words.luckLow;
  return words.luckUsual;
}

/** Whether a seed fits what was published of it before the first choice. */
export function fits(seed: string, commitment: string): boolean {
  return commitmentOf(seed) === commitment;
}
