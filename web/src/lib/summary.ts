/** What matters of what was told, in chapters of lines; each line lights its places. */

import type { Beat } from "./beats";
import type { Blow, Dangers, Telling } from "./protocol";
import { heading, sharesOf } from "./results";
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

export function summaryOf(table: Table, beats: readonly Beat[], told: Telling | null, dangers: Dangers | null): Chapter[] {
  const taken = townsOf(table, told);
  const entered = new Set(taken.flatMap(({ spaces }) => spaces));
  const marches = beats.filter((beat) => beat.kind === "march" && matters(table, beat)).map(marchLine);
  const isTown = ({ spaces }: Told) => !!table.spaces.get(spaces.at(-1) ?? "")?.name;
  const chapters = [
    { title: words.toldTowns, lines: taken },
    { title: words.toldFights, lines: beats.filter(({ kind, spaces }) => kind === "clash" && spaces.length).map((beat) => fightLine(table, beat)) },
    { title: words.toldPlaces, lines: marches.filter((line) => isTown(line) && !entered.has(line.spaces.at(-1) ?? "")) },
    { title: words.toldMoves, lines: marches.filter((line) => !isTown(line)) },
    { title: words.toldLost, lines: lostOf(table, told) },
    { title: words.toldWorse, lines: worseOf(table, told) },
    { title: words.toldThreats, lines: threatsOf(table, dangers) },
  ];
  return chapters.filter(({ lines }) => lines.length);
}

/** Places with a name that a side holds now, or no longer. */
function townsOf(table: Table, told: Telling | null): Told[] {
  return table.look.overlays.flatMap(({ id, holds }) => {
    const change = told?.changes[id];
    const line = (say: (place: string, side: string) => string) => (space: string) => ({ words: say(table.spaceName(space), table.sideName(holds)), more: "", dice: [], spaces: [space] });
    const named = (spaces: string[]) => spaces.filter((space) => table.spaces.get(space)?.name);
    return change ? [...named(change.new).map(line(words.townTaken)), ...named(change.gone).map(line(words.townFreed))] : [];
  });
}

function fightLine(table: Table, { words: said, more, dice, spaces }: Beat): Told {
  return { words: table.plainly(said), more: more.map((each) => table.plainly(each)).join(" "), dice, spaces };
}

function marchLine({ words: said, path }: Beat): Told {
  return { words: said, more: path.length > 1 ? words.hexes(path.length - 1) : "", dice: [], spaces: path };
}

/** Far, next to an own unit, or into a place that has a name. */
function matters(table: Table, { path, unit }: Beat): boolean {
  const end = path.at(-1) ?? "";
  const near = table.shapes.neighbours(end).some((space) => (table.stacks.get(space) ?? []).some((piece) => table.isMine(piece.unit)));
  return !!unit && !table.isMine(unit) && (path.length > FAR || near || !!table.spaces.get(end)?.name);
}

function lostOf(table: Table, told: Telling | null): Told[] {
  const gone = (told?.pieces ?? []).filter(({ unit }) => !table.pieces.has(unit));
  return gone.map(({ unit, space }) => ({ words: table.unitName(unit), more: "", dice: [], spaces: [space] }));
}

/** Own units that are in trouble now and were not before. */
function worseOf(table: Table, told: Telling | null): Told[] {
  const before = new Map((told?.pieces ?? []).map((piece) => [piece.unit, new Set(piece.flags)]));
  const isBad = (flag: string) => table.flags.get(flag)?.effect === "bad";
  return table.state.scene.pieces
    .filter(({ unit, flags }) => table.isMine(unit) && flags.some((flag) => isBad(flag) && !before.get(unit)?.has(flag)))
    .map(({ unit, flags, space }) => ({ words: table.unitName(unit), more: flags.filter(isBad).map((flag) => table.flagWords(flag)).join(", "), dice: [], spaces: [space] }));
}

/** The worst that could come next: attacks, and places that matter and stand empty. */
function threatsOf(table: Table, dangers: Dangers | null): Told[] {
  const empty = Object.entries(dangers?.reached ?? {}).map(([space, unit]) => ({
    words: words.standsEmpty(table.spaceName(space)),
    more: words.couldEnter(table.unitName(unit)),
    dice: [],
    spaces: [space, table.pieces.get(unit)?.space ?? space],
  }));
  const blows = (dangers?.blows ?? []).slice(0, MOST_THREATS).map((blow) => blowLine(table, blow));
  return [...blows, ...empty.slice(0, MOST_THREATS)];
}

function blowLine(table: Table, { target, from_, units, odds }: Blow): Told {
  const own = (table.stacks.get(target) ?? []).map(({ unit }) => table.unitName(unit)).join(", ");
  const worst = sharesOf(odds).map(({ result, percent }) => `${result} ${percent} %`).join(", ");
  const how = `${words.against(odds.attack, odds.defence)}, ${heading(odds.column)}`;
  return { words: words.threatened(table.spaceName(target), own), more: `${words.byThese(units.map((unit) => table.unitName(unit)))}: ${how}. ${worst}`, dice: [], spaces: [target, from_] };
}

/** The places that a briefing speaks of: what they could take without a fight is worth a line. */
export function placesThatCount(table: Table): string[] {
  const { briefing } = table.look;
  const wishes = briefing ? [...briefing.wants.flatMap(([, wishes]) => wishes), ...briefing.victory] : [];
  return [...new Set(wishes.flatMap(({ spaces }) => spaces))];
}
