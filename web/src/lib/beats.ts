/** The enemy's turn as a story: what many small choices brought about, gathered into moves and fights. */

import { narrate } from "./options";
import type { Frame, GameEvent, Piece, Telling } from "./protocol";
import { tidy } from "./results";

export interface Beat {
  kind: "march" | "clash" | "news";
  turn: number;
  step: string;
  /** Who marches, and by which way, where it came from included. */
  unit: string | null;
  path: string[];
  words: string;
  /** What else was said of it. */
  more: string[];
  dice: number[];
  spaces: string[];
  lost: string[];
  /** What lies where when it is over. */
  after: ReadonlyMap<string, Piece>;
}

/** The beats of some frames. `named` puts a march into words. */
export function beatsOf(telling: Telling, named: (unit: string, path: readonly string[]) => string): Beat[] {
  const beats: Beat[] = [];
  let pieces: ReadonlyMap<string, Piece> = new Map(telling.pieces.map((piece) => [piece.unit, piece]));
  for (const frame of telling.frames) {
    const before = pieces;
    pieces = after(before, frame);
    const told = frame.events.filter(({ kind }) => kind !== "turn" && kind !== "phase");
    if (told.some(({ dice }) => dice.length)) beats.push(...fights(told, frame, pieces));
    for (const piece of frame.moved) march(beats, frame, before.get(piece.unit)?.space ?? null, piece, pieces, named);
    const last = beats.at(-1);
    if (last) {
      last.after = pieces;
      last.lost.push(...frame.gone);
    }
  }
  return beats;
}

function after(before: ReadonlyMap<string, Piece>, { moved, gone }: Frame): ReadonlyMap<string, Piece> {
  const now = new Map(before);
  for (const piece of moved) now.set(piece.unit, piece);
  for (const unit of gone) now.delete(unit);
  return now;
}

/** A march of many steps is one beat. */
function march(beats: Beat[], frame: Frame, from: string | null, piece: Piece, pieces: ReadonlyMap<string, Piece>, named: (unit: string, path: readonly string[]) => string): void {
  if (from === piece.space) return;
  const last = beats.at(-1);
  if (last?.kind === "march" && last.unit === piece.unit && last.step === frame.step && last.path.at(-1) === from) {
    last.path.push(piece.space);
    last.words = named(piece.unit, last.path);
    last.after = pieces;
    return;
  }
  const path = from ? [from, piece.space] : [piece.space];
  const words = named(piece.unit, path);
  beats.push({ kind: "march", turn: frame.turn, step: frame.step, unit: piece.unit, path, words, more: [], dice: [], spaces: path, lost: [], after: pieces });
}

/** Rolls belong to the sentence that tells their effect; what has no dice and no place is said with the fight before. */
function fights(events: readonly GameEvent[], frame: Frame, pieces: ReadonlyMap<string, Piece>): Beat[] {
  const found: Beat[] = [];
  for (const line of narrate(events)) {
    const dice = line.dice.map(({ value }) => value);
    const last = found.at(-1);
    if (!dice.length && last) {
      last.more.push(tidy(line.words));
      last.spaces = [...new Set([...last.spaces, ...line.spaces])];
    } else {
      const kind = dice.length ? "clash" : "news";
      found.push({ kind, turn: frame.turn, step: frame.step, unit: null, path: [], words: tidy(line.words), more: [], dice, spaces: line.spaces, lost: [], after: pieces });
    }
  }
  return found;
}
