/** What matters of what was told, in chapters of lines; each line lights its places. */

import type { Beat } from "./beats";
import type { Blow, Dangers, Preview, Telling } from "./protocol";
import { sharesOf } from "./results";
import type { Table } from "./table.svelte";
import { words } from "./words";

export interface Told {
  words: string;
  more: string;
  dice: number[];
  spaces: string[];
}

export interface Chapter {
  title: string;
  lines: Told[];
}

/** More than so many hexes are a long way. */
const FAR = 5;
const MOST_THREATS = 4;
/** More than these of a kind are told together. */
const FEW = 3;
/** Rarer than so it is no threat. */
const LIKELY = 0.3;
/** The box of those who never come again. */
const LOST = "lost";
const HURTS = new Set(["retreat", "both", "defender"]);

/** What a turn came to, in numbers. */
export interface Toll {
  /** Names of places that they took. */
  took: string[];
  attacks: number;
  moved: number;
  /** Units that are gone, and steps that the others lost. */
  own: Loss;
  theirs: Loss;
  /** Names of places that they could attack with effect, or enter. */
  threatened: string[];
  /** What ails own units that it did not ail before, one for each. */
  ails: string[];
  /** Their turn goes on: a question waits in the midst of it. */
  goesOn: boolean;
}

export interface Loss {
  units: number;
  steps: number;
}

/** One sentence before all others: what they did, what it cost, what is in danger. */
export function leadOf(table: Table, beats: readonly Beat[], told: Telling | null, dangers: Dangers | null): string {
  const they = table.look.sides.find(({ id }) => id !== table.campOf(table.state.side));
  return words.toldLead(table.people(they?.id ?? ""), tollOf(table, beats, told, dangers, they?.id ?? ""));
}

export function tollOf(table: Table, beats: readonly Beat[], told: Telling | null, dangers: Dangers | null, they: string): Toll {
  const name = (space: string) => table.spaces.get(space)?.name ?? "";
  const took = table.look.overlays.filter(({ holds }) => holds === they).flatMap(({ id }) => told?.changes[id]?.new ?? []);
  const threatened = [...threats(table, dangers).map(({ target }) => target), ...Object.keys(dangers?.reached ?? {})];
  return {
    took: [...new Set(took.map(name).filter(Boolean))],
    attacks: beats.filter(isFight).length,
    moved: new Set(beats.flatMap(({ unit, along }) => (unit ? [unit, ...along] : [])).filter((unit) => !table.isMine(unit))).size,
    own: lossOf(table, told, true),
    theirs: lossOf(table, told, false),
    threatened: [...new Set(threatened.map(name).filter(Boolean))],
    ails: worseOf(table, told).map(({ more }) => more),
    goesOn: table.amidTheirs,
  };
}

function lossOf(table: Table, told: Telling | null, own: boolean): Loss {
  const loss = { units: 0, steps: 0 };
  const waits = waiting(table);
  for (const { unit, steps } of told?.pieces ?? []) {
    if (table.isMine(unit) !== own || waits.has(unit)) continue;
    const now = table.pieces.get(unit);
    if (!now) loss.units += 1;
    else loss.steps += Math.max(0, steps - now.steps);
  }
  return loss;
}

/** Who has left the map and may come again: markers that were spent, units that were taken back. */
export function waiting({ state }: Pick<Table, "state">): Set<string> {
  return new Set(state.scene.waiting.filter(({ box }) => box !== LOST).flatMap(({ units }) => units));
}

export const isFight = ({ kind, spaces }: Beat) => kind === "clash" && spaces.length > 0;

export function summaryOf(table: Table, beats: readonly Beat[], told: Telling | null, dangers: Dangers | null): Chapter[] {
  const taken = townsOf(table, told);
  const entered = new Set(taken.flatMap(({ spaces }) => spaces));
  const marches = marchLines(table, beats.filter((beat) => beat.kind === "march" && matters(table, beat)));
  const isTown = ({ spaces }: Told) => !!table.spaces.get(spaces.at(-1) ?? "")?.name;
  const chapters = [
    { title: words.toldTowns, lines: taken },
    { title: words.toldFights, lines: beats.filter(isFight).map((beat) => fightLine(table, beat)) },
    { title: words.toldPlaces, lines: marches.filter((line) => isTown(line) && !entered.has(line.spaces.at(-1) ?? "")) },
    { title: words.toldMoves, lines: marches.filter((line) => !isTown(line)) },
    { title: words.toldLost, lines: lostOf(table, told) },
    { title: words.toldWorse, lines: worseOf(table, told) },
    { title: words.toldThreats, lines: threatsOf(table, dangers) },
  ];
  return chapters.filter(({ lines }) => lines.length);
}

/** Places with a name that a side holds now, or no longer; many are told together. */
function townsOf(table: Table, told: Telling | null): Told[] {
  const taken = new Set(table.look.overlays.flatMap(({ id, holds }) => (holds ? (told?.changes[id]?.new ?? []) : [])));
  return table.look.overlays.flatMap(({ id, holds }) => {
    const change = told?.changes[id];
    const side = table.sideName(holds);
    const lines = (spaces: string[], one: (place: string, side: string) => string, many: (count: number, side: string) => string): Told[] => {
      const named = spaces.filter((space) => table.spaces.get(space)?.name);
      if (named.length > FEW) return [{ words: many(named.length, side), more: named.map((space) => table.spaceName(space)).join(", "), dice: [], spaces: named }];
      return named.map((space) => ({ words: one(table.spaceName(space), side), more: "", dice: [], spaces: [space] }));
    };
    return change ? [...lines(change.new, words.townTaken, words.townsTaken), ...lines(change.gone.filter((space) => !taken.has(space)), words.townFreed, words.townsFreed)] : [];
  });
}

/** Who goes to the same place is told together, where there are many. */
function marchLines(table: Table, beats: readonly Beat[]): Told[] {
  const ends = new Map<string, Beat[]>();
  for (const beat of beats) {
    const end = beat.path.at(-1) ?? "";
    ends.set(end, [...(ends.get(end) ?? []), beat]);
  }
  return [...ends].flatMap(([end, there]) => {
    const [first] = there;
    if (!first?.unit || there.length <= FEW) return there.map((beat) => marchLine(table, beat));
    const others = there.reduce((sum, { along }) => sum + 1 + along.length, -1);
    return [{ words: words.marchTogether(table.unitName(first.unit), others, table.spaceName(end)), more: "", dice: [], spaces: first.path }];
  });
}

function fightLine(table: Table, { words: said, more, dice, spaces }: Beat): Told {
  return { words: table.plainly(said), more: more.map((each) => table.plainly(each)).join(" "), dice, spaces };
}

function marchLine(table: Table, { words: said, path, why }: Beat): Told {
  const far = path.length > 1 ? words.hexes(path.length - 1, !table.look.hex_width) : "";
  return { words: said, more: [far, purposeOf(why)].filter(Boolean).join(", "), dice: [], spaces: path };
}

/** What a computer player had in mind, of `0324 Namur: hold Namur: 4 roads` only what for; what names no place says little. */
export function purposeOf(why: string): string {
  const [, aim = ""] = why.split(": ");
  return !aim || /^[+-]?\d/.test(aim) ? "" : words.purpose(aim);
}

/** Far, next to an own unit, or into a place that has a name. */
function matters(table: Table, { path, unit }: Beat): boolean {
  const end = path.at(-1) ?? "";
  const near = table.shapes.neighbours(end).some((space) => (table.stacks.get(space) ?? []).some((piece) => table.isMine(piece.unit)));
  return !!unit && !table.isMine(unit) && (path.length > FAR || near || !!table.spaces.get(end)?.name);
}

function lostOf(table: Table, told: Telling | null): Told[] {
  const waits = waiting(table);
  const gone = (told?.pieces ?? []).filter(({ unit }) => !table.pieces.has(unit) && !waits.has(unit));
  const events = told?.frames.flatMap((frame) => frame.events) ?? [];
  const fate = (unit: string) => events.findLast(({ units }) => units.includes(unit))?.words ?? "";
  return gone.map(({ unit, space }) => ({ words: table.unitName(unit), more: table.plainly(fate(unit)), dice: [], spaces: [space] }));
}

/** Own units that are in trouble now and were not before. */
function worseOf(table: Table, told: Telling | null): Told[] {
  const before = new Map((told?.pieces ?? []).map((piece) => [piece.unit, new Set(piece.flags)]));
  const isBad = (flag: string) => table.flags.get(flag)?.effect === "bad";
  return table.state.scene.pieces
    .filter(({ unit, flags }) => table.isMine(unit) && flags.some((flag) => isBad(flag) && !before.get(unit)?.has(flag)))
    .map(({ unit, flags, space }) => ({ words: table.unitName(unit), more: flags.filter(isBad).map((flag) => table.flagWords(flag)).join(", "), dice: [], spaces: [space] }));
}

/** The worst that could come next: attacks, and places that matter and stand empty. The last place has the line's number. */
function threatsOf(table: Table, dangers: Dangers | null): Told[] {
  const empty = Object.entries(dangers?.reached ?? {}).map(([space, unit]) => ({
    words: words.standsEmpty(table.spaceName(space)),
    more: words.couldEnter(table.unitName(unit)),
    dice: [],
    spaces: [table.pieces.get(unit)?.space ?? space, space],
  }));
  return [...threats(table, dangers).map((blow) => blowLine(table, blow)), ...empty.slice(0, MOST_THREATS)];
}

function threats(table: Table, dangers: Dangers | null): Blow[] {
  return (dangers?.blows ?? []).filter(({ odds }) => couldHurt(table, odds)).slice(0, MOST_THREATS);
}

/** Whether an attack would probably do something; where no table says what hurts, it might. */
function couldHurt(table: Table, odds: Preview): boolean {
  const tones = new Map(table.look.results.map(({ id, tone }) => [id, tone]));
  const shares = sharesOf(odds);
  if (!shares.some(({ result }) => tones.has(result))) return true;
  return shares.filter(({ result }) => HURTS.has(tones.get(result) ?? "")).reduce((sum, { part }) => sum + part, 0) >= LIKELY;
}

function blowLine(table: Table, { target, from_, units, odds }: Blow): Told {
  const own = (table.stacks.get(target) ?? []).map(({ unit }) => table.unitName(unit)).join(", ");
  const named = new Map(table.look.results.map(({ id, name }) => [id, name]));
  const chances = sharesOf(odds).map(({ result, percent }) => `${named.get(result) ?? result} ${percent} %`).join(", ");
  const who = words.byThese(units.map((unit) => table.unitName(unit)));
  return { words: words.threatened(table.spaceName(target), own), more: `${who}, ${words.against(odds.attack, odds.defence)}: ${chances}`, dice: [], spaces: [from_, target] };
}

/** The places that a briefing speaks of: what they could take without a fight is worth a line. */
export function placesThatCount(table: Table): string[] {
  const { briefing } = table.look;
  const wishes = briefing ? [...briefing.wants.flatMap(([, wishes]) => wishes), ...briefing.victory] : [];
  return [...new Set(wishes.flatMap(({ spaces }) => spaces))];
}
