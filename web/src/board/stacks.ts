/** Where each counter lies: stacks lean, an open stack is spread out beside its hex. */

import type { Shapes } from "../lib/geometry";
import type { Piece } from "../lib/protocol";

export interface Placed {
  piece: Piece;
  x: number;
  y: number;
  /** Part of the stack that lies open. */
  open: boolean;
}

const LEAN_X = 8;
const LEAN_Y = 7;
const FAN = 78;
const FAN_COLUMNS = 4;

export function layOut(
  stacks: ReadonlyMap<string, readonly Piece[]>,
  shapes: Shapes,
  fanned: string | null,
  picked: string | null,
): Placed[] {
  const placed: Placed[] = [];
  const last: Placed[] = [];
  for (const [space, pieces] of stacks) {
    if (!shapes.has(space)) continue;
    const [x, y] = shapes.at(space);
    if (space === fanned && pieces.length > 1) {
      last.push(...fanOut(pieces, x, y, shapes.width));
      continue;
    }
    const middle = (pieces.length - 1) / 2;
    const lean = Math.min(1, 3 / Math.max(1, pieces.length - 1));
    const layer = pieces.some((piece) => piece.unit === picked) ? last : placed;
    [...pieces].reverse().forEach((piece, i) => {
      layer.push({ piece, x: x + (i - middle) * LEAN_X * lean, y: y - (i - middle) * LEAN_Y * lean, open: false });
    });
  }
  return [...placed, ...last];
}

function fanOut(pieces: readonly Piece[], x: number, y: number, width: number): Placed[] {
  const columns = Math.min(pieces.length, FAN_COLUMNS);
  const rows = Math.ceil(pieces.length / columns);
  const half = ((columns - 1) * FAN) / 2;
  const centre = Math.max(half + 50, Math.min(width - half - 50, x));
  return pieces.map((piece, i) => ({
    piece,
    x: centre - half + (i % columns) * FAN,
    y: y + (Math.floor(i / columns) - (rows - 1) / 2) * FAN,
    open: true,
  }));
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
