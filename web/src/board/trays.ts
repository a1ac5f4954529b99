/** On a map of spaces a stack lies open in a tray beside its space, where it covers least of what else is there. */

import type { Point, Shapes } from "../lib/geometry";
import type { Piece } from "../lib/protocol";

export interface Tray {
  space: string;
  /** The middle. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Where each of its counters lies. */
  places: Map<string, Point>;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How large a counter is in a tray, beside one on the map. */
export const IN_TRAY = 0.84;
const CELL = 68 * IN_TRAY + 6;
const PAD = 8;
/** More than so many of a side begin a second row. */
const WIDEST = 5;
const GAP = 10;
const DIRECTIONS = 16;

export function traysOf(stacks: ReadonlyMap<string, readonly Piece[]>, shapes: Shapes, sideOf: (unit: string) => string): Map<string, Tray> {
  const trays = new Map<string, Tray>();
  if (!shapes.ofSpaces) return trays;
  const taken: Box[] = shapes.all.map(({ x, y, width, height }) => ({ x, y, width: width || 2 * shapes.radius, height: height || 2 * shapes.radius }));
  for (const space of [...stacks.keys()].filter((id) => shapes.has(id) && !shapes.roomOf(id)).sort()) {
    const pieces = stacks.get(space) ?? [];
    if (pieces.length < 2) continue;
    const tray = bestPlace(space, pieces, shapes, sideOf, taken);
    trays.set(space, tray);
    taken.push(tray);
  }
  return trays;
}

/** Rows of one side each, as few as fit into so many columns. */
function rowsOf(pieces: readonly Piece[], sideOf: (unit: string) => string, columns: number): Piece[][] {
  const sides = [...new Set(pieces.map(({ unit }) => sideOf(unit)))];
  return sides.flatMap((side) => {
    const own = pieces.filter(({ unit }) => sideOf(unit) === side);
    return Array.from({ length: Math.ceil(own.length / columns) }, (_, i) => own.slice(i * columns, (i + 1) * columns));
  });
}

function bestPlace(space: string, pieces: readonly Piece[], shapes: Shapes, sideOf: (unit: string) => string, taken: readonly Box[]): Tray {
  const [sx, sy] = shapes.at(space);
  const [hw, hh] = shapes.halfOf(space);
  let best: { rows: Piece[][]; box: Box } | undefined;
  let least = Infinity;
  for (let columns = Math.min(2, pieces.length); columns <= Math.min(WIDEST, pieces.length); columns++) {
    const rows = rowsOf(pieces, sideOf, columns);
    const width = Math.max(...rows.map((row) => row.length)) * CELL + 2 * PAD;
    const height = rows.length * CELL + 2 * PAD;
    for (let i = 0; i < DIRECTIONS; i++) {
      const angle = (i * 2 * Math.PI) / DIRECTIONS;
      const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
      // As near as the two do not touch: beside it, or above and below it.
      const reach = Math.min((hw + width / 2 + GAP) / Math.max(1e-6, Math.abs(ux)), (hh + height / 2 + GAP) / Math.max(1e-6, Math.abs(uy)));
      const box = { x: sx + ux * reach, y: sy + uy * reach, width, height };
      const cost = taken.reduce((sum, other) => sum + shared(box, other), 0) + beyond(box, shapes) * 3 + reach * 12 + width * height * 0.02;
      if (cost < least) [best, least] = [{ rows, box }, cost];
    }
  }
  const { rows, box } = best ?? { rows: [], box: { x: sx, y: sy, width: 0, height: 0 } };
  const places = new Map<string, Point>();
  rows.forEach((row, r) =>
    row.forEach(({ unit }, c) => places.set(unit, [box.x - box.width / 2 + PAD + (c + 0.5) * CELL, box.y - box.height / 2 + PAD + (r + 0.5) * CELL])),
  );
  return { space, ...box, places };
}

/** How much two boxes have in common. */
function shared(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.width / 2, b.x + b.width / 2) - Math.max(a.x - a.width / 2, b.x - b.width / 2);
  const high = Math.min(a.y + a.height / 2, b.y + b.height / 2) - Math.max(a.y - a.height / 2, b.y - b.height / 2);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** How much of a box lies off the map. */
function beyond(box: Box, { width, height }: Shapes): number {
  return box.width * box.height - shared(box, { x: width / 2, y: height / 2, width, height });
}
