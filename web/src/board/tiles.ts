/** The drawn map as small pictures: those in view are put on the page, so that moving shifts pixels and draws nothing. */

import type { TilesInfo } from "../lib/protocol";

/** A part of the map, in units of the drawing. */
export interface View {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Beside what is in view, as much again is loaded on each side, in parts of a tile. */
const MARGIN = 0.6;
/** A picture may be enlarged so far before a finer one is taken. */
const ENLARGED = 1.1;
/** More than this, and those out of view are taken off the page again. */
const MOST_KEPT = 160;

/** How many units a pixel should stand for at this scale: the coarsest that is still sharp. */
export function levelFor(shrunk: readonly number[], pixels: number): number {
  return shrunk.find((units) => units * pixels <= ENLARGED) ?? shrunk.at(-1) ?? 1;
}

/** Whether even the finest tiles are too coarse for this scale, so that the map should be drawn. */
export function tooCoarse(shrunk: readonly number[], pixels: number): boolean {
  return levelFor(shrunk, pixels) * pixels > ENLARGED;
}

/** Columns and rows of the tiles that a view needs. */
export function tilesOf(view: View, side: number, width: number, height: number): [number, number][] {
  const last = (length: number) => Math.ceil(length / side) - 1;
  const from = (at: number) => Math.max(0, Math.floor(at / side - MARGIN));
  const to = (at: number, length: number) => Math.min(last(length), Math.floor(at / side + MARGIN));
  const found: [number, number][] = [];
  for (let row = from(view.top); row <= to(view.bottom, height); row++)
    for (let column = from(view.left); column <= to(view.right, width); column++) found.push([column, row]);
  return found;
}

export class Tiles {
  private readonly levels = new Map<number, HTMLElement>();
  private readonly pictures = new Map<string, HTMLImageElement>();

  constructor(
    private readonly into: HTMLElement,
    private readonly info: TilesInfo,
    private readonly size: { width: number; height: number },
    private readonly address: (shrunk: number, column: number, row: number) => string,
  ) {
    for (const shrunk of info.shrunk) {
      const level = document.createElement("div");
      into.append(level);
      this.levels.set(shrunk, level);
    }
  }

  /** Show the tiles of a view; `pixels` is how many of the screen's a unit of the drawing takes. */
  show(view: View, pixels: number): void {
    const wanted = levelFor(this.info.shrunk, pixels);
    const side = this.info.size * wanted;
    const needed = new Set<string>();
    for (const [column, row] of tilesOf(view, side, this.size.width, this.size.height)) {
      const key = `${wanted}/${column}/${row}`;
      needed.add(key);
      if (!this.pictures.has(key)) this.add(key, wanted, column, row);
    }
    // Coarser tiles stay underneath until the finer ones have come; finer ones would only cost time.
    for (const [shrunk, level] of this.levels) level.hidden = shrunk < wanted;
    if (this.pictures.size > MOST_KEPT) this.forget(needed);
  }

  private add(key: string, shrunk: number, column: number, row: number): void {
    const picture = new Image();
    const side = this.info.size * shrunk;
    picture.decoding = "async";
    picture.draggable = false;
    picture.alt = "";
    picture.src = this.address(shrunk, column, row);
    const [left, top] = [column * side, row * side];
    const [width, height] = [Math.min(side, this.size.width - left), Math.min(side, this.size.height - top)];
    picture.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    this.pictures.set(key, picture);
    this.levels.get(shrunk)?.append(picture);
  }

  private forget(needed: ReadonlySet<string>): void {
    for (const [key, picture] of this.pictures) {
      if (this.pictures.size <= MOST_KEPT / 2) return;
      if (needed.has(key)) continue;
      picture.remove();
      this.pictures.delete(key);
    }
  }

  close(): void {
    this.into.replaceChildren();
  }
}
