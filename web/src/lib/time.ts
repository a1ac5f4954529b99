/** Times as people say them. */

import { said } from "./said";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "today, 07:02", "yesterday, 21:14", "Dec 12, 2026". */
export function whenWas(time: string, now = new Date()): string {
  const then = new Date(time);
  const clock = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const days = Math.round((midnight(now) - midnight(then)) / DAY);
  if (days === 0) return said.today(clock);
  if (days === 1) return said.yesterday(clock);
  return dayOf(time);
}

export function dayOf(time: string): string {
  return new Date(time).toLocaleDateString([], { dateStyle: "medium" });
}

function midnight(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
}

/** "2 d 4 h", "9 h", "12 min". */
export function span(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left >= DAY) return said.days(Math.floor(left / DAY), Math.floor((left % DAY) / HOUR));
  return left >= HOUR ? said.hours(Math.floor(left / HOUR)) : said.minutes(Math.floor(left / MINUTE));
}

/** A clock of so many days a move: what is left, and which share of all. */
export function clockOf(deadline: string, days: number, now = Date.now()): { left: number; share: number; short: boolean } {
  const left = Math.max(0, new Date(deadline).getTime() - now);
  const share = Math.min(1, left / (days * DAY));
  return { left, share, short: share < 0.25 };
}
