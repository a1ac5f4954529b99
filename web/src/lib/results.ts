/** Results of combat: which colour a result has, and how charts are found and lit. */

import { chance } from "./options";
import type { Chart, Preview, ResultLook } from "./protocol";

const TONES: Record<string, string> = { attacker: "--ae", none: "--as", retreat: "--dr", both: "--bb", defender: "--de" };

/** A colour for a result, by whom it hurts; the letters say the same. */
export function toneOf(results: readonly ResultLook[], result: string): string {
  return `var(${TONES[results.find(({ id }) => id === result)?.tone ?? ""] ?? "--other"})`;
}

/** The result that a sentence names, the longest where one is part of another. */
export function resultIn(results: readonly ResultLook[], sentence: string): ResultLook | null {
  const named = results.filter(({ id }) => {
    const at = sentence.indexOf(id);
    return at >= 0 && !/[\w/+(]/.test(sentence.charAt(at - 1)) && !/[\w/+]/.test(sentence.charAt(at + id.length));
  });
  return named.sort((a, b) => b.id.length - a.id.length)[0] ?? null;
}

/** The chart that has the column of an attack. */
export function chartOf(charts: readonly Chart[], preview: Preview | null): Chart | null {
  if (!preview) return null;
  return charts.find(({ id, columns }) => columns.includes(preview.column) && (!preview.chart || id === preview.chart)) ?? null;
}

/** `+1..+2` as people write it. */
export function heading(column: string): string {
  return column.replace("<=", "≤").replace(">=", "≥").replace(/(\d)\.\.(?=\d)/, "$1–").replace("..", " ").replaceAll("-", "−");
}

export interface Share {
  result: string;
  part: number;
  percent: number;
}

export function sharesOf(preview: Preview): Share[] {
  return preview.chances
    .map(([result, value]) => ({ result, part: chance(value), percent: Math.round(chance(value) * 100) }))
    .filter(({ part }) => part > 0);
}

export function signed(amount: number): string {
  return amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0";
}

/** A cost, short enough for a disc on the map: `3 2/5` as `3.4`. */
export function shortCost(cost: string): string {
  const found = /^(?:(\d+) )?(\d+)\/(\d+)$/.exec(cost);
  if (!found) return cost;
  const [, whole = "0", above = "0", below = "1"] = found;
  return String(Math.round((Number(whole) + Number(above) / Number(below)) * 100) / 100);
}

/** Signs of a table's columns in a sentence, as people write them. */
export function tidy(sentence: string): string {
  return sentence.replaceAll("<=", "≤").replaceAll(">=", "≥").replace(/([+-]?\d)\.\.([+-]?\d)/g, "$1 to $2").replace(/(^|[\s≤≥])-(?=\d)/g, "$1−");
}

/** How wide a bar of odds is, a letter in it, and its percentage, about: rail and phone have the same room. */
const BAR = 330;
const LETTER = 7.5;
const PERCENT = 32;

/** What a part of the bar has room for: words cut off on both sides are worse than none. */
export function roomFor(result: string, part: number): "all" | "percent" | null {
  const room = part * BAR;
  if (room >= result.length * LETTER + PERCENT + 5) return "all";
  return room >= PERCENT ? "percent" : null;
}
