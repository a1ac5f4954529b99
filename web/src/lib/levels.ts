/** Computer players as the lobby names them: how strong they are and how long they think, as far as that was measured. */

import type { GameInfo } from "./protocol";
import { words } from "./words";

export function levelWords({ strengths }: GameInfo, level: string): string {
  const found = strengths.find(({ name }) => name === level);
  if (!found) return words.computer(level);
  const { kind, value, low, high, seconds } = found;
  const strong = kind === "won" ? words.winsAlone(value, low, high) : words.strength(value, low, high);
  return `${words.computer(level)}: ${[strong, ...(seconds === null ? [] : [words.thinks(seconds)])].join(", ")}`;
}
