/** Shapes on the drawing: hexes, the outline of a set of them, arrows, hexsides. Numbers are units of the drawing. */

import type { Look, SpaceLook } from "./protocol";

export type Point = readonly [number, number];

const SPACE_RADIUS = 42;
/** Space for its name, at the top of a staging area or box. */
const HEADING = 58;
const TALL_HEADING = 92;
const INSET = 14;

export class Shapes {
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  private readonly spaces = new Map<string, SpaceLook>();
  private readonly around = new Map<string, string[]>();
  private readonly reachOfHex: number;

  constructor(look: Pick<Look, "spaces" | "hex_width" | "pointy" | "width" | "height">) {
    this.width = look.width;
    this.height = look.height;
    this.reachOfHex = look.hex_width;
    this.radius = look.hex_width ? look.hex_width / Math.sqrt(3) : SPACE_RADIUS;
    this.pointy = look.pointy;
    for (const space of look.spaces) this.spaces.set(space.id, space);
    if (look.hex_width) this.findNeighbours(look.spaces);
  }

  private readonly pointy: boolean;

  private findNeighbours(spaces: SpaceLook[]): void {
    const cell = this.reachOfHex * 1.1;
    const key = (x: number, y: number) => `${Math.floor(x / cell)},${Math.floor(y / cell)}`;
    const buckets = new Map<string, SpaceLook[]>();
    const hexes = spaces.filter((space) => space.kind === "hex");
    for (const space of hexes) {
      const at = key(space.x, space.y);
      buckets.set(at, [...(buckets.get(at) ?? []), space]);
    }
    for (const space of hexes) {
      const near: string[] = [];
      for (const dx of [-cell, 0, cell])
        for (const dy of [-cell, 0, cell])
          for (const other of buckets.get(key(space.x + dx, space.y + dy)) ?? [])
            if (other !== space && Math.hypot(other.x - space.x, other.y - space.y) < cell) near.push(other.id);
      this.around.set(space.id, near);
    }
  }

  has(id: string): boolean {
    return this.spaces.has(id);
  }

  at(id: string): Point {
    const space = this.spaces.get(id);
    return space ? [space.x, space.y] : [0, 0];
  }

  neighbours(id: string): string[] {
    return this.around.get(id) ?? [];
  }

  /** A map of spaces and boxes, without hexes. */
  get ofSpaces(): boolean {
    return !this.reachOfHex;
  }

  get all(): SpaceLook[] {
    return [...this.spaces.values()];
  }

  private isHex(id: string): boolean {
    return this.reachOfHex > 0 && this.spaces.get(id)?.kind === "hex";
  }

  corners(id: string, scale = 1): Point[] {
    const [x, y] = this.at(id);
    const start = this.pointy ? 0 : Math.PI / 6;
    return [0, 1, 2, 3, 4, 5].map((i) => {
      const angle = start + (i * Math.PI) / 3;
      return [x + this.radius * scale * Math.sin(angle), y - this.radius * scale * Math.cos(angle)] as const;
    });
  }

  /** Half the width and height of a space that is no hex. */
  halfOf(id: string): Point {
    const space = this.spaces.get(id);
    return [(space?.width || 2 * SPACE_RADIUS) / 2, (space?.height || 2 * SPACE_RADIUS) / 2];
  }

  private isBox(id: string): boolean {
    const space = this.spaces.get(id);
    return !!space?.width && space.kind !== "space" && space.kind !== "hex";
  }

  /** Where counters lie in a box: below its name. */
  roomOf(id: string): { x: number; y: number; width: number; height: number } | null {
    if (!this.isBox(id)) return null;
    const [x, y] = this.at(id);
    const [w, h] = this.halfOf(id);
    const heading = w > h || this.spaces.get(id)?.kind === "box" ? HEADING : TALL_HEADING;
    return { x, y: y + heading / 2 - INSET / 2, width: 2 * (w - INSET), height: 2 * h - heading - INSET };
  }

  /** Where a marker lies: at the lower edge of a space. */
  footOf(id: string): Point {
    const [x, y] = this.at(id);
    if (this.isHex(id)) return [x, y + 42];
    return [x, y + this.halfOf(id)[1] - (this.isBox(id) ? 26 : 4)];
  }

  /** Maps of spaces are looked at from farther off. */
  get markScale(): number {
    return this.reachOfHex ? 1 : 1.9;
  }

  /** Boxes that no map draws. */
  get boxes(): SpaceLook[] {
    return [...this.spaces.values()].filter(({ kind }) => kind === "box");
  }

  /** The path of one space: a hexagon, a box, or a circle. */
  outlineOf(id: string, scale = 1): string {
    if (this.isHex(id)) return `M${this.corners(id, scale).map(text).join("L")}Z`;
    const [x, y] = this.at(id);
    const [w, h] = this.halfOf(id).map((half) => round(half * scale)) as [number, number];
    if (this.isBox(id)) return `M${round(x - w)} ${round(y - h)}h${2 * w}v${2 * h}h${-2 * w}Z`;
    const r = w;
    return `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }

  areaOf(ids: Iterable<string>, scale = 1): string {
    let path = "";
    for (const id of ids) if (this.has(id)) path += this.outlineOf(id, scale);
    return path;
  }

  /** Only the outer edge of a set of spaces. */
  edgeOf(ids: Iterable<string>): string {
    const set = new Set(ids);
    let path = "";
    for (const id of set) {
      if (!this.has(id)) continue;
      if (!this.isHex(id)) {
        path += this.outlineOf(id);
        continue;
      }
      const [x, y] = this.at(id);
      const inside = this.neighbours(id).filter((near) => set.has(near)).map((near) => this.at(near));
      const corners = this.corners(id);
      corners.forEach((a, i) => {
        const b = corners[(i + 1) % 6] ?? a;
        const beyond: Point = [a[0] + b[0] - x, a[1] + b[1] - y];
        if (!inside.some((near) => distance(near, beyond) < this.radius / 4)) path += `M${text(a)}L${text(b)}`;
      });
    }
    return path;
  }

  /** The hexside between two neighbours, named `2020/2119`. */
  hexside(name: string): string {
    const [one = "", two = ""] = name.split("/");
    if (!this.has(one) || !this.has(two)) return "";
    const [ax, ay] = this.at(one);
    const [bx, by] = this.at(two);
    const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
    const k = this.radius / 2 / (Math.hypot(bx - ax, by - ay) || 1);
    const [dx, dy] = [-(by - ay) * k, (bx - ax) * k];
    return `M${text([mx - dx, my - dy])}L${text([mx + dx, my + dy])}`;
  }

  /** Which of these hexsides lies under a point of the drawing. */
  sideUnder([x, y]: Point, names: Iterable<string>): string | null {
    let best: string | null = null;
    let least = this.radius * 0.42;
    for (const name of names) {
      const [one = "", two = ""] = name.split("/");
      const [a, b] = [this.at(one), this.at(two)];
      const far = Math.hypot((a[0] + b[0]) / 2 - x, (a[1] + b[1]) / 2 - y);
      if (far < least) [best, least] = [name, far];
    }
    return best;
  }

  /** A swelling arrow from one space into the next. */
  arrow(from: string, to: string): string {
    const [x1, y1] = this.at(from);
    const [x2, y2] = this.at(to);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const head = Math.max(71, length * 0.71);
    const point = (t: number, w: number) => text([x1 + ux * t - uy * w, y1 + uy * t + ux * w]);
    return (
      `M${point(30, 2.5)}L${point(head - 20, 5)}L${point(head - 23, 12.5)}L${point(head, 0)}` +
      `L${point(head - 23, -12.5)}L${point(head - 20, -5)}L${point(30, -2.5)}Z`
    );
  }

  /** The space under a point of the drawing, if the point is on one. */
  under(point: Point): string | null {
    let best: string | null = null;
    let least = 1.05;
    for (const space of this.spaces.values()) {
      const far = this.isHex(space.id) ? Math.hypot(space.x - point[0], space.y - point[1]) / this.radius : this.farFrom(space, point);
      if (far < least) [best, least] = [space.id, far];
    }
    return best;
  }

  /** How far a point is from the middle of a space that is no hex; 1 at its edge. */
  private farFrom(space: SpaceLook, [x, y]: Point): number {
    const [w, h] = this.halfOf(space.id);
    const [dx, dy] = [Math.abs(x - space.x) / w, Math.abs(y - space.y) / h];
    return this.isBox(space.id) ? Math.max(dx, dy) : Math.hypot(dx, dy);
  }

  /** The nearest space in a direction, for going over the map by keys. */
  step(from: string, dx: number, dy: number): string | null {
    const [x, y] = this.at(from);
    let best: string | null = null;
    let least = Infinity;
    for (const space of this.spaces.values()) {
      const [rx, ry] = [space.x - x, space.y - y];
      const along = rx * dx + ry * dy;
      const aside = Math.abs(rx * dy - ry * dx);
      if (along < this.radius * 0.5 || aside > along * 1.2) continue;
      const cost = along + aside * 0.9;
      if (cost < least) [best, least] = [space.id, cost];
    }
    return best;
  }
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function text(point: Point): string {
  return `${round(point[0])} ${round(point[1])}`;
}
