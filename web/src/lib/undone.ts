/** What could still be done before a phase or turn ends: units, arrivals, and who stays in trouble. */

import type { Table } from "./table.svelte";
import { words } from "./words";

export interface Undone {
  words: string;
  places: string[];
}

const MOST = 3;

export function undoneOf(table: Table): Undone[] {
  return [...stillOpen(table), ...stillDue(table), ...inTrouble(table)].slice(0, MOST);
}

/** How many units of the board can still be chosen, and do something. */
export function unmovedOf({ offer, pieces }: Table): number {
  return [...offer.ready].filter((unit) => pieces.has(unit)).length;
}

function stillOpen(table: Table): Undone[] {
  const { offeredPlaces } = table;
  const fight = offeredPlaces.every((space) => (table.stacks.get(space) ?? []).some(({ unit }) => !table.isMine(unit)));
  const units = unmovedOf(table);
  if (units) return [{ words: words.stillUnits(units), places: offeredPlaces }];
  return offeredPlaces.length ? [{ words: words.stillOpen(offeredPlaces.length, fight), places: offeredPlaces }] : [];
}

function stillDue(table: Table): Undone[] {
  const { turn, waiting } = table.state.scene;
  const due = waiting.filter(({ box }) => box === `turn ${turn}`).flatMap(({ units }) => units).filter((unit) => table.isMine(unit));
  return due.length ? [{ words: words.stillWaiting(due.map((unit) => table.unitName(unit))), places: [] }] : [];
}

function inTrouble(table: Table): Undone[] {
  const bad = new Map<string, string[]>();
  for (const { unit, space, flags } of table.state.scene.pieces)
    for (const flag of table.isMine(unit) ? flags : [])
      if (table.flags.get(flag)?.effect === "bad") bad.set(flag, [...(bad.get(flag) ?? []), space]);
  return [...bad].map(([flag, places]) => ({ words: words.stillBad(places.length, table.flagWords(flag)), places }));
}
