/** Computer players as the lobby names them: how strong they are and how long they think, as far as that was measured. */

import type { GameInfo } from "./protocol";
import { words } from "./words";

export function levelWords({ scenarios, strengths }: GameInfo, level: string, scenario: string): string {
  const found = strengths.find(({ name }) => name === level);
  if (!found) return `${words.computer(level)}: ${words.notRanked}`;
  const { kind, value, low, high, seconds } = found;
  const strong = kind === "won" ? words.winsAlone(value, low, high) : words.strength(value, low, high);
  const elsewhere = found.scenario === scenario ? undefined : scenarios.find(({ id }) => id === found.scenario);
  const where = elsewhere ? words.rankedIn(strong, elsewhere.title) : strong;
  return `${words.computer(level)}: ${[where, ...(seconds === null ? [] : [words.thinks(seconds)])].join(", ")}`;
}

/** What the figures of the levels mean; nothing where there are none. */
export function levelsHelp({ levels, strengths }: GameInfo): string {
  const kind = strengths.find(({ name }) => levels.includes(name))?.kind;
  return kind ? (kind === "won" ? words.winsHelp : words.strengthHelp) : "";
}
