/** The log as far as a page has it. A line's number counts from the beginning of the match, whatever is missing before it. */

import type { GameEvent, LogPage, State } from "./protocol";

export interface Log {
  events: GameEvent[];
  /** How many lines are missing before them. */
  skipped: number;
}

/** How many lines there are, with those that are missing. */
export function lengthOf({ events, skipped }: Log): number {
  return skipped + events.length;
}

/** The lines from a number on. */
export function linesFrom({ events, skipped }: Log, number: number): GameEvent[] {
  return events.slice(Math.max(0, number - skipped));
}

/** What a page has once the next state has come. */
export function joined(before: State, next: State): Log {
  const { events, skipped } = before;
  const same = next.rev === before.rev && next.side === before.side;
  if (same && next.events_from + lengthOf(next) === lengthOf(before)) return { events, skipped };
  // After a gap, nothing from before it is kept: what is there has no hole.
  if (next.skipped || next.events_from < skipped) return { events: next.events, skipped: next.events_from + next.skipped };
  return { events: [...events.slice(0, next.events_from - skipped), ...next.events], skipped };
}

export function withEarlier({ events }: Log, page: LogPage): Log {
  return { events: [...page.events, ...events], skipped: page.first };
}

/** The log at a moment of the past, as far back as the present one is there. */
export function asOf({ events, skipped }: Log, past: State): Log {
  return skipped < past.skipped ? { events: events.filter(({ at }) => at <= past.n), skipped } : { events: past.events, skipped: past.skipped };
}
