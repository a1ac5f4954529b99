/** One's own part of a match's dice: made here, committed to when one sits down, told when all have committed. */

import { sha256 } from "./sha256";

const KEY = (table: string) => `bulge.dice.${table}`;
const PREFIX = new TextEncoder().encode("bulge seed ");

export function commitmentOf(secret: string): string {
  const key = Array.from(secret.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return sha256(new Uint8Array([...PREFIX, ...key]));
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
