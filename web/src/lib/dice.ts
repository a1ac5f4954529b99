/** One's own part of a match's dice: made here, committed to when one sits down, told when all have committed. */

import { sha256 } from "./sha256";

const KEY = (table: string) => `bulge.dice.${table}`;
const PREFIX = new TextEncoder().encode("bulge seed ");

export function commitmentOf(secret: string): string {
  return sha256(new Uint8Array([...PREFIX, ...bytesOf(secret)]));
}

/** A part that nobody else knows; kept in this browser until it is told. */
export function partFor(table: string): string {
  const kept = keptPart(table);
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(KEY(table), secret);
  return secret;
}

export function keptPart(table: string): string | null {
  return localStorage.getItem(KEY(table));
}

export function forgetPart(table: string): void {
  localStorage.removeItem(KEY(table));
}

/** By whom, in hexadecimal digits. */
export type Parts = Record<string, string>;

const bytesOf = (part: string) => Array.from(part.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** The seed that all parts make together. */
export function sharedSeed(parts: Parts): string {
  const encoder = new TextEncoder();
  const whole = Object.keys(parts)
    .sort((one, other) => (one < other ? -1 : 1))
    .flatMap((name) => [...encoder.encode(`\n${name}=`), ...bytesOf(parts[name] ?? "")]);
  return sha256(new Uint8Array([...encoder.encode("bulge shared seed"), ...whole])).slice(0, 32);
}

/** Whether every part is what was published of it, and together they are the seed. */
export function isFair(parts: Parts, commitments: Record<string, string>, seed: string): boolean {
  const names = Object.keys(commitments);
  const given = names.length === Object.keys(parts).length && names.every((name) => commitmentOf(parts[name] ?? "") === commitments[name]);
  return given && sharedSeed(parts) === seed;
}
