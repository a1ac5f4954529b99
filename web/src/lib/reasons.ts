/** Chains of reasons: what a line of the log hangs on, and what was drawn for it. */

import { linesFrom, type Log } from "./log";
import { narrate, type Line } from "./options";
import type { CardLook, Condition, GameEvent } from "./protocol";

/** A reason of this depth stands for the very next line alone. */
export const NEAREST = 9;

/** For every line the lines that led to it, outermost first; none for a line without reasons. */
export function reasonsOf(lines: readonly Line[]): Map<number, Line[]> {
  const found = new Map<number, Line[]>();
  let standing: Line[] = [];
  let settled = false;
  for (const line of lines) {
    if (line.heading) standing = [];
    if (line.depth) {
      standing = standing.filter(({ depth }) => (settled ? depth < line.depth : depth <= line.depth || depth === NEAREST));
      settled = false;
    } else settled = true;
    if (standing.length) found.set(line.key, standing);
    if (line.depth) standing = [...standing, line];
    else standing = standing.filter(({ depth }) => depth < NEAREST);
  }
  return found;
}

/** What came of a line: those that name it among their reasons. */
export function followersOf(lines: readonly Line[], reasons: ReadonlyMap<number, Line[]>, key: number): Line[] {
  return lines.filter((line) => !line.depth && (reasons.get(line.key) ?? []).some((reason) => reason.key === key));
}

/** Things drawn one after the other for one purpose, and what they add up to. */
export interface Draws {
  /** Where it was drawn for. */
  space: string;
  drawn: Line[];
  /** What was said between them. */
  asides: Line[];
  result: Line | null;
}

/** The draws that a line ends or belongs to. */
export function drawsAt(lines: readonly Line[], key: number): Draws | null {
  const at = lines.findIndex((line) => line.key === key);
  if (at < 0 || !isPart(lines[at])) return null;
  let from = at;
  while (isPart(lines[from - 1]) && lines[from - 1]?.kind !== "result") from -= 1;
  let to = at;
  while (lines[to]?.kind !== "result" && isPart(lines[to + 1])) to += 1;
  const part = lines.slice(from, to + 1);
  const drawn = part.filter(({ kind }) => kind === "draw");
  if (!drawn.length) return null;
  const result = part.find(({ kind }) => kind === "result") ?? null;
  return { space: drawn[0]?.spaces[0] ?? "", drawn, asides: part.filter((line) => line.kind !== "draw" && line !== result), result };
}

/** What has just been drawn: among the lines from a number on. */
export function freshDraws(log: Log, from: number): Draws | null {
  if (!linesFrom(log, from).some(({ kind }) => kind === "draw")) return null;
  const lines = narrate(log.events);
  const last = lines.findLast(({ kind }) => kind === "draw");
  return last ? drawsAt(lines, last.key) : null;
}

/** Draws, what is said between them, and their result. */
function isPart(line: Line | undefined): boolean {
  return !!line && (line.kind === "draw" || line.kind === "aside" || isSum(line));
}

/** A result that adds up what was drawn. */
export function isSum({ kind, conditions }: Line): boolean {
  return kind === "result" && conditions.some(({ counts }) => counts.length > 0);
}

/** What conditions that hold add up to, by side. */
export function tallyOf(conditions: readonly Condition[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { holds, counts } of conditions) for (const [side, number] of counts) sums.set(side, (sums.get(side) ?? 0) + (holds ? number : 0));
  return sums;
}

/** The log without what is folded into other lines: nearest reasons into their chains, draws into their result or the last of them. */
export function diary(lines: readonly Line[]): Line[] {
  return lines.filter((line, i) => line.depth !== NEAREST && line.kind !== "aside" && !(line.kind === "draw" && isPart(lines[i + 1])));
}

/** Whether a line opens an impulse, or ends all of them as a heading. */
export function saysWhose({ kind, depth }: GameEvent): boolean {
  return kind === "turn" || kind === "phase" || depth === 1;
}

/** Whose impulse is under way: that of the card which opened it, until a heading ends it. */
export function impulseOf(events: readonly GameEvent[], cards: ReadonlyMap<string, CardLook>): string | null {
  const last = events.findLast(saysWhose);
  return last?.depth === 1 ? (cards.get(last.cards[0] ?? "")?.side ?? null) : null;
}

/** Whether cards of somebody else were shown, or something was drawn: that should be seen, not only read. */
export function isSeen(news: readonly GameEvent[], cards: ReadonlyMap<string, CardLook>, me: string | null): boolean {
  return news.some((event) => event.kind === "draw" || (event.depth === 1 && event.cards.some((card) => cards.get(card)?.side !== me)));
}
