/** The enemy's turn as a story: what many small choices brought about, gathered into moves, fights and orders. */

import { narrate, type Line } from "./options";
import type { Frame, GameEvent, Piece, Telling } from "./protocol";
import { drawsAt, isSum, NEAREST, type Draws } from "./reasons";
import { tidy } from "./results";
import { words as said } from "./words";

export interface Beat {
  kind: "march" | "clash" | "news" | "order";
  turn: number;
  step: string;
  /** The heading under which it was told, if the log has one. */
  head: string;
  /** Who marches, and by which way, where it came from included. */
  unit: string | null;
  path: string[];
  words: string;
  /** What else was said of it. */
  more: string[];
  dice: number[];
  spaces: string[];
  /** Cards that were shown. */
  cards: string[];
  /** What was drawn in a fight, one after the other. */
  draws: Draws | null;
  lost: string[];
  /** What lies where when it is over. */
  after: ReadonlyMap<string, Piece>;
}

type Pieces = ReadonlyMap<string, Piece>;
type Named = (unit: string, path: readonly string[]) => string;

/** The beats of some frames. `named` puts a march into words. */
export function beatsOf(telling: Telling, named: Named): Beat[] {
  const beats: Beat[] = [];
  let pieces: Pieces = new Map(telling.pieces.map((piece) => [piece.unit, piece]));
  for (const frame of telling.frames) {
    const before = pieces;
    pieces = after(before, frame);
    const told = frame.events.filter(({ kind }) => kind !== "turn" && kind !== "phase");
    let known = before;
    if (told.some(({ kind }) => kind === "card" || kind === "draw")) known = inOrder(beats, frame, before, pieces, named);
    else if (told.some(({ dice }) => dice.length)) beats.push(...fights(told, frame, pieces));
    for (const piece of frame.moved) march(beats, frame, known.get(piece.unit)?.space ?? null, piece, pieces, named);
    const last = beats.at(-1);
    if (last) {
      last.after = pieces;
      last.lost.push(...frame.gone);
    }
  }
  return beats;
}

function after(before: Pieces, { moved, gone }: Frame): Pieces {
  const now = new Map(before);
  for (const piece of moved) now.set(piece.unit, piece);
  for (const unit of gone) now.delete(unit);
  return now;
}

/** How many small steps a beat is shown in. */
export function legsOf({ kind, path, draws }: Beat): number {
  return kind === "march" ? path.length - 1 : (draws?.drawn.length ?? 0);
}

function beat(kind: Beat["kind"], frame: Frame, words: string, spaces: string[], pieces: Pieces): Beat {
  return { kind, turn: frame.turn, step: frame.step, head: "", unit: null, path: [], words, more: [], dice: [], spaces, cards: [], draws: null, lost: [], after: pieces };
}

/** A march of many steps is one beat. */
function march(beats: Beat[], frame: Frame, from: string | null, piece: Piece, pieces: Pieces, named: Named): void {
  if (from === piece.space) return;
  const last = beats.at(-1);
  if (last?.kind === "march" && last.unit === piece.unit && last.step === frame.step && last.path.at(-1) === from) {
    last.path.push(piece.space);
    last.words = named(piece.unit, last.path);
    last.after = pieces;
    return;
  }
  const path = from ? [from, piece.space] : [piece.space];
  beats.push({ ...beat("march", frame, named(piece.unit, path), path, pieces), unit: piece.unit, path });
}

/** Rolls belong to the sentence that tells their effect; what has no dice and no place is said with the fight before. */
function fights(events: readonly GameEvent[], frame: Frame, pieces: Pieces): Beat[] {
  const found: Beat[] = [];
  for (const line of narrate(events)) {
    const dice = line.dice.map(({ value }) => value);
    const last = found.at(-1);
    if (!dice.length && last) {
      last.more.push(tidy(line.words));
      last.spaces = [...new Set([...last.spaces, ...line.spaces])];
    } else found.push({ ...beat(dice.length ? "clash" : "news", frame, tidy(line.words), line.spaces, pieces), dice });
  }
  return found;
}

/** A frame in which a whole impulse was played by rules: its lines tell who did what, one after the other. Where all lie at its end. */
function inOrder(beats: Beat[], frame: Frame, before: Pieces, end: Pieces, named: Named): Pieces {
  const lines = narrate(frame.events).filter(({ depth }) => depth !== NEAREST);
  let now = before;
  let head = "";
  /** Reasons for what comes next. */
  const preface: string[] = [];
  const place = (unit: string, space: string) => {
    const piece = end.get(unit) ?? before.get(unit);
    if (piece) now = new Map(now).set(unit, { ...piece, space });
  };
  for (const line of lines) {
    if (line.heading) {
      head = line.words.replace(/\.$/, "");
      continue;
    }
    if (line.kind === "passed") {
      preface.length = 0;
      continue;
    }
    const last = beats.at(-1);
    const words = tidy(line.words);
    if (line.kind === "card" && line.depth === 1 && last?.kind === "order" && !last.more.length) {
      last.words = words;
      last.cards = [...new Set([...line.cards, ...last.cards])];
    } else if (line.kind === "card" && line.depth < 3) beats.push({ ...beat("order", frame, words, line.spaces, now), cards: line.cards });
    else if (line.kind === "move") {
      for (const unit of line.units) {
        const from = now.get(unit)?.space;
        const path = from && line.spaces[0] !== from ? [from, ...line.spaces] : line.spaces;
        place(unit, path.at(-1) ?? "");
        beats.push({ ...beat("march", frame, named(unit, path), path, now), unit, path, more: [words] });
      }
    } else if (line.depth && !line.kind && !belongs(line, last)) preface.push(words);
    else if (line.kind === "battle") beats.push(beat("clash", frame, words, line.spaces, now));
    else if (line.kind === "draw" || isSum(line)) tellDraws(beats, lines, line, frame, now);
    else if (line.kind !== "aside") {
      if (line.kind === "retreat") for (const unit of line.units) place(unit, line.spaces.at(-1) ?? "");
      if (last && (last.kind !== "march" || !line.spaces.length)) tellMore(last, line);
      else beats.push({ ...beat(line.dice.length ? "clash" : "news", frame, words, line.spaces, now), dice: line.dice.map(({ value }) => value) });
    }
    const told = beats.at(-1);
    if (!told) continue;
    if (told !== last) told.more.unshift(...preface.splice(0));
    Object.assign(told, { after: now, head: told.head || head });
  }
  return now;
}

/** Whether a reason is told with the beat before it: an order with whom it moves, a fight with what was brought to it. */
function belongs({ depth }: Line, last: Beat | undefined): boolean {
  return last?.kind === "order" ? depth < 3 : last?.kind === "clash" && !last.draws;
}

function tellMore(last: Beat, line: Line): void {
  last.more.push(tidy(line.words));
  last.dice.push(...line.dice.map(({ value }) => value));
  if (last.kind === "clash") last.spaces = [...new Set([...last.spaces, ...line.spaces])];
}

/** What is drawn belongs to the fight before it; its sum says how that went. */
function tellDraws(beats: Beat[], lines: readonly Line[], line: Line, frame: Frame, now: Pieces): void {
  const last = beats.at(-1);
  const own = last?.draws ? last.draws.result === line || last.draws.drawn.includes(line) : last?.kind === "clash";
  const fight = own ? last : null;
  const draws = drawsAt(lines, line.key);
  if (fight) fight.draws = draws;
  else beats.push({ ...beat("clash", frame, said.attackOn(line.spaces.slice(0, 1)), line.spaces, now), draws });
  if (isSum(line)) (fight ?? beats.at(-1))?.more.push(tidy(line.words));
}
