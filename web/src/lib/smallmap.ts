/** The small map of a match in lists: what part of the drawn map it shows, and the arrow of the last move. */

import type { SmallMap } from "./protocol";

/** Pixels of the frame; where it is drawn smaller, all of it is. */
export const FRAME = { width: 190, height: 116 };
/** Of what lies above and below the frame, so much above: the lower part of most drawings is a legend. */
const ABOVE = 0.3;
/** Pixels: how long the head of an arrow is, for a short move and at most. */
const HEAD = { least: 8, most: 11 };
/** Pixels across its shaft. */
const WIDE = 2.4;
/** Half of the angle of its point. */
const SHARP = 0.45;

type View = Pick<SmallMap, "width" | "height" | "move">;

/** The whole width of the map, and as much of its height as fits; the last move is in the middle, if it can be. */
export function viewOf({ width, height, move }: View): string {
  const tall = Math.min(height, (width * FRAME.height) / FRAME.width);
  const room = height - tall;
  const top = move ? Math.max(0, Math.min(room, (move[1] + move[3] - tall) / 2)) : room * ABOVE;
  return [0, Math.round(top), width, Math.round(tall)].join(" ");
}

/** Paths of the shaft and of the head, which touches where the move ended, and how wide the shaft is on the drawing. */
export function arrowOf({ width, move }: View): { shaft: string; head: string; wide: number } | null {
  if (!move) return null;
  const [x, y, toX, toY] = move;
  const pixel = width / FRAME.width;
  const way = Math.atan2(toY - y, toX - x);
  const long = Math.max(HEAD.least * pixel, Math.min(HEAD.most * pixel, Math.hypot(toX - x, toY - y) / 2));
  const back = (far: number, turn: number) => `${Math.round(toX - far * Math.cos(way + turn))} ${Math.round(toY - far * Math.sin(way + turn))}`;
  return { shaft: `M${x} ${y}L${back(long * 0.6, 0)}`, head: `M${toX} ${toY}L${back(long, -SHARP)}L${back(long, SHARP)}Z`, wide: WIDE * pixel };
}
