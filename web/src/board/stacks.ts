/** Where each counter lies: stacks lean, sides stand apart in a space, boxes hold rows; an open stack is spread out. */

import type { Point, Shapes } from "../lib/geometry";
import type { Piece } from "../lib/protocol";
import { IN_TRAY, type Tray } from "./trays";

export interface Placed {
  piece: Piece;
  x: number;
  y: number;
  /** Its size beside that of other counters. */
  size: number;
  /** Part of the stack that lies open. */
  open: boolean;
  /** How many counters lie here, on the top one of a high stack. */
  count: number;
  /** Flags of those that it covers, each once. */
  below: string[];
  /** From here to the lowest of them, an edge of which can be seen. */
  toLowest: Point;
}

const COVERS_NONE = { count: 0, below: [], toLowest: [0, 0] } satisfies Partial<Placed>;

const LEAN_X = 8;
const LEAN_Y = 7;
const FAN = 78;
const FAN_COLUMNS = 4;
/** Of a higher stack one cannot see how high it is. */
const HIGHEST = 4;
/** Beside the middle of a space, where enemies share it. */
const APART = 40;
const ROW_GAP = 1.08;
const COUNTER = 68;
const SMALLEST = 0.6;

export function layOut(
  stacks: ReadonlyMap<string, readonly Piece[]>,
  shapes: Shapes,
  fanned: string | null,
  picked: string | null,
  sideOf: (unit: string) => string,
  trays: ReadonlyMap<string, Tray> = new Map(),
): Placed[] {
  const placed: Placed[] = [];
  const last: Placed[] = [];
  for (const [space, pieces] of stacks) {
    if (!shapes.has(space)) continue;
    const middle = shapes.at(space);
    const tray = trays.get(space);
    if (tray) {
      placed.push(...inTray(pieces, tray));
      continue;
    }
    if (space === fanned && pieces.length > 1) {
      last.push(...fanOut(pieces, middle, shapes));
      continue;
    }
    const layer = pieces.some((piece) => piece.unit === picked) ? last : placed;
    const room = shapes.roomOf(space);
    if (room) layer.push(...inRows(pieces, room));
    else for (const [stack, at] of apart(pieces, middle, sideOf)) layer.push(...leaning(stack, at));
  }
  return [...placed, ...last];
}

/** Enemies in one space stand side by side. */
function apart(pieces: readonly Piece[], [x, y]: Point, sideOf: (unit: string) => string): [Piece[], Point][] {
  const sides = [...new Set(pieces.map(({ unit }) => sideOf(unit)))];
  if (sides.length < 2) return [[[...pieces], [x, y]]];
  return sides.map((side, i) => [pieces.filter(({ unit }) => sideOf(unit) === side), [x + (i - (sides.length - 1) / 2) * 2 * APART, y]]);
}

function leaning(pieces: readonly Piece[], [x, y]: Point): Placed[] {
  const last = pieces.length - 1;
  const lean = Math.min(1, 3 / Math.max(1, last));
  const placed: Placed[] = [...pieces].reverse().map((piece, i) => ({
    piece,
    x: x + (i - last / 2) * LEAN_X * lean,
    y: y - (i - last / 2) * LEAN_Y * lean,
    size: 1,
    open: false,
    ...COVERS_NONE,
  }));
  const top = placed.at(-1);
  if (top) {
    top.count = pieces.length > HIGHEST ? pieces.length : 0;
    top.below = [...new Set(pieces.slice(1).flatMap(({ flags }) => flags))];
    top.toLowest = [-last * LEAN_X * lean, last * LEAN_Y * lean];
  }
  return placed;
}

function inTray(pieces: readonly Piece[], { places, x, y }: Tray): Placed[] {
  return pieces.map((piece) => {
    const at = places.get(piece.unit) ?? [x, y];
    return { piece, x: at[0], y: at[1], size: IN_TRAY, open: false, ...COVERS_NONE };
  });
}

/** In a box counters lie in rows, smaller where there are many. */
function inRows(pieces: readonly Piece[], room: { x: number; y: number; width: number; height: number }): Placed[] {
  const fits = (size: number) => Math.max(1, Math.floor(room.width / (COUNTER * ROW_GAP * size))) * Math.max(1, Math.floor(room.height / (COUNTER * ROW_GAP * size)));
  let size = 1;
  while (size > SMALLEST && fits(size) < pieces.length) size -= 0.05;
  const step = COUNTER * ROW_GAP * size;
  const columns = Math.max(1, Math.min(pieces.length, Math.floor(room.width / step)));
  const rows = Math.ceil(pieces.length / columns);
  const down = Math.min(step, rows > 1 ? (room.height - step) / (rows - 1) : step);
  return pieces.map((piece, i) => {
    const inRow = Math.min(columns, pieces.length - Math.floor(i / columns) * columns);
    return {
      piece,
      x: room.x + ((i % columns) - (inRow - 1) / 2) * step,
      y: room.y - room.height / 2 + step / 2 + Math.floor(i / columns) * down,
      size,
      open: false,
      ...COVERS_NONE,
    };
  });
}

function fanOut(pieces: readonly Piece[], [x, y]: Point, { width, height }: Shapes): Placed[] {
  const columns = Math.min(pieces.length, Math.max(FAN_COLUMNS, Math.ceil(Math.sqrt(pieces.length))));
  const rows = Math.ceil(pieces.length / columns);
  const [halfX, halfY] = [((columns - 1) * FAN) / 2, ((rows - 1) * FAN) / 2];
  const [left, top] = [inside(x, halfX, width) - halfX, inside(y, halfY, height) - halfY];
  return pieces.map((piece, i) => ({
    piece,
    x: left + (i % columns) * FAN,
    y: top + Math.floor(i / columns) * FAN,
    size: 1,
    open: true,
    ...COVERS_NONE,
  }));
}

function inside(at: number, half: number, length: number): number {
  return Math.max(half + 50, Math.min(length - half - 50, at));
}

/** The units of a space, the one on top first. */
export function unitsOf(stacks: ReadonlyMap<string, readonly Piece[]>, space: string): string[] {
  return (stacks.get(space) ?? []).map((piece) => piece.unit);
}

/** The ground on which an open stack lies, and the first unit that is drawn on it. */
export function plateUnder(placed: readonly Placed[]): { x: number; y: number; width: number; height: number; before: string } | null {
  const open = placed.filter((each) => each.open);
  const [first] = open;
  if (!first) return null;
  const [x, y] = [Math.min(...open.map((each) => each.x)) - 50, Math.min(...open.map((each) => each.y)) - 50];
  const [right, bottom] = [Math.max(...open.map((each) => each.x)) + 50, Math.max(...open.map((each) => each.y)) + 50];
  return { x, y, width: right - x, height: bottom - y, before: first.piece.unit };
}
