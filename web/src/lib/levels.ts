/** Computer players as the lobby names them: how strong they are and how long they think, as far as that was measured. */

import type { GameInfo } from "./protocol";
import { words } from "./words";

export function levelWords({ scenarios, strengths }: GameInfo, level: string, scenario: string): string {
  const found = strengths.find(({ name }) => name === level);
  if (!found) return words.computer(level);
  const { kind, value, low, high, seconds } = found;
  const strong = kind === "won" ? words.winsAlone(value, low, high) : words.strength(value, low, high);
  const elsewhere = found.scenario === scenario ? undefined : scenarios.find(({ id }) => id === found.scenario);
  const where = elsewhere ? [words.rankedIn(elsewhere.title)] : [];
  return `${words.computer(level)}: ${[strong, ...where, ...(seconds === null ? [] : [words.thinks(seconds)])].join(", ")}`;
}
