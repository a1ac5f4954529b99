/** The enemy's turn as a story: what many small choices brought about, gathered into moves, fights and orders. */

import { narrate, type Line } from "./options";
import type { Frame, GameEvent, Piece, ResultLook, Telling } from "./protocol";
import { drawsAt, isSum, NEAREST, type Draws } from "./reasons";
import { resultIn, tidy } from "./results";
import { words as said } from "./words";

export interface Beat {
  kind: "march" | "clash" | "news" | "order";
  turn: number;
  step: string;
  /** The heading under which it was told, if the log has one. */
  head: string;
  /** Who marches, and by which way, where it came from included. */
  unit: string | null;
  /** Who marches along with it. */
  along: string[];
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
  /** What a computer player had in mind. */
  why: string;
  /** What lies where when it is over. */
  after: ReadonlyMap<string, Piece>;
}

type Pieces = ReadonlyMap<string, Piece>;
type Named = (unit: string, path: readonly string[], others?: number) => string;

/** More dice than these are told by what came of them. */
const MOST_DICE = 6;

/** The beats of some frames. `named` puts a march into words; a roll is known for a fight by its result. */
export function beatsOf(telling: Telling, named: Named, results: readonly ResultLook[] = []): Beat[] {
  const beats: Beat[] = [];
  let pieces: Pieces = new Map(telling.pieces.map((piece) => [piece.unit, piece]));
  for (const frame of telling.frames) {
    const before = pieces;
    pieces = after(before, frame);
    const told = frame.events.filter(({ kind }) => kind !== "turn" && kind !== "phase");
    let known = before;
    if (told.some(({ kind }) => kind === "card" || kind === "draw" || kind === "battle")) known = inOrder(beats, frame, before, pieces, named);
    else if (told.some(({ dice }) => dice.length)) beats.push(...fights(told, frame, before, results));
    for (const group of together(frame.moved, known)) {
      const from = known.get(group[0]?.unit ?? "")?.space ?? null;
      known = new Map([...known, ...group.map((piece) => [piece.unit, piece] as const)]);
      march(beats, frame, from, group, known, named);
    }
    for (const { units, why } of told) if (why) giveReason(beats, units, why);
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

/** Who goes from one place to the same other, or appears in the same place, is told together; first who is new. */
function together(moved: readonly Piece[], known: Pieces): Piece[][] {
  const groups = new Map<string, Piece[]>();
  for (const piece of moved.toSorted((one, other) => Number(known.has(one.unit)) - Number(known.has(other.unit)))) {
    const way = `${known.get(piece.unit)?.space ?? ""} ${piece.space}`;
    groups.set(way, [...(groups.get(way) ?? []), piece]);
  }
  return [...groups.values()];
}

/** The step of the sequence in which the log tells of a unit; a choice may lead through many. */
function stepOf({ events, step }: Frame, unit: string): string {
  return events.findLast(({ units }) => units.includes(unit))?.step || step;
}

function beat(kind: Beat["kind"], frame: Frame, words: string, spaces: string[], pieces: Pieces, step = frame.step): Beat {
  return { kind, turn: frame.turn, step: step || frame.step, head: "", unit: null, along: [], path: [], words, more: [], dice: [], spaces, cards: [], draws: null, lost: [], why: "", after: pieces };
}

/** A reason belongs to the last march of whom it names. */
function giveReason(beats: readonly Beat[], units: readonly string[], why: string): void {
  const about = beats.findLast(({ kind, unit }) => kind === "march" && !!unit && units.includes(unit));
  if (about) about.why = why;
}

/** A march of many steps is one beat. */
function march(beats: Beat[], frame: Frame, from: string | null, group: readonly Piece[], pieces: Pieces, named: Named): void {
  const [first, ...others] = group;
  if (!first || from === first.space) return;
  const last = beats.at(-1);
  const step = stepOf(frame, first.unit);
  if (last?.kind === "march" && last.unit === first.unit && !others.length && last.step === step && last.path.at(-1) === from) {
    last.path.push(first.space);
    last.words = named(first.unit, last.path);
    last.after = pieces;
    return;
  }
  const path = wayOf(frame, from, first);
  beats.push({ ...beat("march", frame, named(first.unit, path, others.length), path, pieces, step), unit: first.unit, along: others.map(({ unit }) => unit), path });
}

/** Where a unit went, hex by hex where the log tells it. */
function wayOf({ events }: Frame, from: string | null, { unit, space }: Piece): string[] {
  const told = events.find((event) => event.units.includes(unit) && event.spaces.length > 1 && event.spaces[0] === from && event.spaces.at(-1) === space);
  return told ? [...told.spaces] : from ? [from, space] : [space];
}

/** Rolls belong to the sentence that tells their effect; what has no dice and no place is said with the fight before. */
function fights(events: readonly GameEvent[], frame: Frame, pieces: Pieces, results: readonly ResultLook[]): Beat[] {
  const found: Beat[] = [];
  for (const line of narrate(events)) {
    const dice = line.dice.map(({ value }) => value);
    const last = found.at(-1);
    if (!dice.length && last) {
      last.more.push(tidy(line.words));
      if (decides(line, results)) last.kind = "clash";
      last.spaces = [...new Set([...last.spaces, ...line.spaces])];
    } else found.push({ ...beat(dice.length && decides(line, results) ? "clash" : "news", frame, tidy(line.words), line.spaces, pieces, line.step), dice });
  }
  return found;
}

/** A roll that decides a fight says so, or names one of the results of a table; others are only news. */
export function decides({ kind, words, spaces }: Line, results: readonly ResultLook[]): boolean {
  return kind === "result" || kind === "battle" || (spaces.length > 0 && resultIn(results, words) !== null);
}

/** A frame in which a whole impulse was played by rules: its lines tell who did what, one after the other. Where all lie at its end. */
function inOrder(beats: Beat[], frame: Frame, before: Pieces, end: Pieces, named: Named): Pieces {
  const lines = narrate(frame.events).filter(({ depth }) => depth !== NEAREST);
  const dealt = lines.some(({ kind }) => kind === "card" || kind === "draw");
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
    } else if (line.kind === "card" && line.depth < 3) beats.push({ ...beat("order", frame, words, line.spaces, now, line.step), cards: line.cards });
    else if (line.kind === "move") {
      // Who goes the same way goes together.
      const from = (unit: string) => now.get(unit)?.space ?? "";
      for (const start of new Set(line.units.map(from))) {
        const [unit = "", ...along] = line.units.filter((each) => from(each) === start);
        const path = start && line.spaces[0] !== start ? [start, ...line.spaces] : line.spaces;
        for (const each of [unit, ...along]) place(each, path.at(-1) ?? "");
        beats.push({ ...beat("march", frame, along.length ? words : named(unit, path), path, now, line.step), unit, along, path, more: along.length ? [] : [words] });
      }
    } else if (line.depth && !line.kind && !belongs(line, last)) preface.push(words);
    else if (line.kind === "battle") beats.push(beat("clash", frame, words, line.spaces, now, line.step));
    else if (line.kind === "draw" || isSum(line)) tellDraws(beats, lines, line, frame, now);
    else if (line.kind !== "aside") {
      if (line.kind === "retreat") for (const unit of line.units) place(unit, line.spaces.at(-1) ?? "");
      // Where no cards command, a roll outside a fight is news of its own.
      const apart = !dealt && line.dice.length > 0 && last?.kind !== "clash";
      if (last && !apart && (last.kind !== "march" || !line.spaces.length)) tellMore(last, line);
      else if (apart) beats.push({ ...beat("news", frame, words, line.spaces, now, line.step), dice: line.dice.map(({ value }) => value) });
      else beats.push({ ...beat(line.dice.length ? "clash" : "news", frame, words, line.spaces, now, line.step), dice: line.dice.map(({ value }) => value) });
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
  // Of a fight, what was only counted up for it is in the log.
  if (last.kind !== "clash" || line.kind || line.depth || line.spaces.length) last.more.push(tidy(line.words));
  if (last.dice.length + line.dice.length <= MOST_DICE) last.dice.push(...line.dice.map(({ value }) => value));
  if (last.kind === "clash") last.spaces = [...new Set([...last.spaces, ...line.spaces])];
}

/** What is drawn belongs to the fight before it; its sum says how that went. */
function tellDraws(beats: Beat[], lines: readonly Line[], line: Line, frame: Frame, now: Pieces): void {
  const last = beats.at(-1);
  const own = last?.draws ? last.draws.result === line || last.draws.drawn.includes(line) : last?.kind === "clash";
  const fight = own ? last : null;
  const draws = drawsAt(lines, line.key);
  if (fight) fight.draws = draws;
  else beats.push({ ...beat("clash", frame, said.attackOn(line.spaces.slice(0, 1)), line.spaces, now, line.step), draws });
  if (isSum(line)) (fight ?? beats.at(-1))?.more.push(tidy(line.words));
}
