/** The matches that somebody looks on at, as this browser remembers them. */

import type { TableSummary } from "./protocol";
import { said } from "./said";

export interface Watched {
  id: string;
  game: string;
  /** What opens a private one. */
  token: string;
  /** The turn and the moment of the last choice when it was last looked at. */
  turn: number;
  touched: string;
}

const KEY = "bulge.watched";
const MOST = 20;

export function watched(): Watched[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isWatched) : [];
  } catch {
    return [];
  }
}

function isWatched(value: unknown): value is Watched {
  const { id, game, token, turn, touched } = (value ?? {}) as Partial<Watched>;
  return [id, game, token, touched].every((each) => typeof each === "string") && typeof turn === "number";
}

/** Remember how far one has looked on, the latest first. */
export function rememberWatched(seen: Watched): void {
  store([seen, ...watched().filter(({ id }) => id !== seen.id)]);
}

export function forgetWatched(id: string): void {
  store(watched().filter((each) => each.id !== id));
}

/** Whoever comes to this browser next has looked on at nothing. */
export function forgetAllWatched(): void {
  localStorage.removeItem(KEY);
}

function store(found: Watched[]): void {
  localStorage.setItem(KEY, JSON.stringify(found.slice(0, MOST)));
}

/** How a match stands against what one saw of it: over, some turns on, or as it was. Null: it can be seen no more. */
export function standingOf(seen: Watched, now: TableSummary | null): string {
  if (!now) return said.watchedGone;
  if (now.ending) return said.watchedOver(now.ending.words);
  if (now.turn > seen.turn) return said.watchedBehind(now.turn - seen.turn);
  return now.touched > seen.touched ? said.watchedMoved : said.watchedSame;
}
