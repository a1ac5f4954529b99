/** The calendar as a match sees it: from its first turn to its last, with whoever is still to come. */

import type { Face, Scene, TurnLook } from "./protocol";
import { words } from "./words";

export interface Day {
  /** The number of its turn. */
  number: number;
  turn: TurnLook;
  due: Face[];
}

/** Who is due, side by side, for whoever does not see the counters. */
export function dueWords(due: readonly Face[], sideName: (side: string) => string): string[] {
  const sides = [...new Set(due.map(({ side }) => side))];
  return sides.map((side) => words.due(sideName(side), due.filter((face) => face.side === side).map(({ name }) => name)));
}

export function daysOf(turns: readonly TurnLook[], scene: Scene, faces: ReadonlyMap<string, Face>): Day[] {
  const last = scene.last_turn || turns.length;
  const due = (number: number) => scene.waiting.find(({ box }) => box === `turn ${number}`)?.units.flatMap((unit) => faces.get(unit) ?? []) ?? [];
  return turns.map((turn, i) => ({ number: i + 1, turn, due: due(i + 1) })).filter(({ number }) => number >= scene.first_turn && number <= last);
}
