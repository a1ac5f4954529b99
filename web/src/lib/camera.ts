/** Where the reader stands over the map. Moving changes one transform on promoted layers and nothing else. */

import type { Point } from "./geometry";

const SHARPEN_AFTER = 180;
const GLIDE = 260;
const LEAST_TO_READ = 0.45;

export class Camera {
  x = 0;
  y = 0;
  scale = 1;
  /** What is on the screen: the next frame draws what has been asked for since. */
  private drawn = { x: 0, y: 0, scale: 1 };
  private layers: HTMLElement[] = [];
  private frame: HTMLElement | null = null;
  private least = 0.2;
  private readonly most = 2.6;
  private wanted = 0;
  private sharpen: ReturnType<typeof setTimeout> | undefined;
  private glide = 0;
  /** The scale that the reader had chosen, before places far apart had to be shown together. */
  private before: number | null = null;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly calm: () => boolean,
    /** A hand has moved the map. */
    private readonly taken: () => void,
    /** Told of every new place; `resting` when no further one has come for a while. */
    private readonly placed: (resting: boolean) => void,
  ) {}

  attach(frame: HTMLElement, layers: HTMLElement[]): void {
    this.frame = frame;
    this.layers = layers;
    this.place();
  }

  close(): void {
    this.stop();
    cancelAnimationFrame(this.wanted);
    clearTimeout(this.sharpen);
  }

  /** What the frame shows, in units of the drawing. */
  get view(): { left: number; top: number; right: number; bottom: number } {
    const [w, h] = this.size;
    const [left, top] = [-this.x / this.scale, -this.y / this.scale];
    return { left, top, right: left + w / this.scale, bottom: top + h / this.scale };
  }

  private get size(): Point {
    return [this.frame?.clientWidth ?? 1, this.frame?.clientHeight ?? 1];
  }

  /** What the reader sees at a point of the screen. */
  toMap(clientX: number, clientY: number): Point {
    const box = this.frame?.getBoundingClientRect();
    const { x, y, scale } = this.drawn;
    return [(clientX - (box?.left ?? 0) - x) / scale, (clientY - (box?.top ?? 0) - y) / scale];
  }

  toScreen([x, y]: Point): Point {
    const box = this.frame?.getBoundingClientRect();
    return [x * this.scale + this.x + (box?.left ?? 0), y * this.scale + this.y + (box?.top ?? 0)];
  }

  /** A hand lies on the map: it stays where it is. */
  hold(): void {
    this.stop();
  }

  pan(dx: number, dy: number): void {
    this.stop();
    this.taken();
    this.moveTo(this.x + dx, this.y + dy, this.scale);
  }

  /** Zoom by a factor about a point of the screen, or about the middle. */
  zoom(factor: number, clientX?: number, clientY?: number): void {
    this.stop();
    this.taken();
    this.before = null;
    const box = this.frame?.getBoundingClientRect();
    const [w, h] = this.size;
    const px = clientX === undefined ? w / 2 : clientX - (box?.left ?? 0);
    const py = clientY === undefined ? h / 2 : clientY - (box?.top ?? 0);
    const scale = Math.max(this.least, Math.min(this.most, this.scale * factor));
    const k = scale / this.scale;
    this.moveTo(px - (px - this.x) * k, py - (py - this.y) * k, scale);
  }

  /** The whole map in the frame. */
  fit(): void {
    this.taken();
    const [w, h] = this.size;
    const scale = Math.min(w / this.width, h / this.height);
    this.least = Math.min(0.3, scale * 0.9);
    this.glideTo(w / 2 - (this.width / 2) * scale, h / 2 - (this.height / 2) * scale, scale);
  }

  /** A first view: as much of these points as can be read. */
  open(points: Point[], scales: Point): void {
    const [w, h] = this.size;
    this.least = Math.min(0.3, Math.min(w / this.width, h / this.height) * 0.9);
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    const fits = Math.min(w / (right - left + 160), h / (bottom - top + 260));
    const scale = Math.max(scales[0], Math.min(scales[1], points.length ? fits : 0.7));
    const [cx, cy] = points.length ? [middle(xs), middle(ys)] : [this.width / 2, this.height / 2];
    this.moveTo(fill(w / 2 - cx * scale, w, this.width * scale), fill(h / 2 - cy * scale, h, this.height * scale), scale);
  }

  /** Bring points into view by the shortest way, if they are not in it; `clear` is covered by something on the left. */
  reveal(points: Point[], clear = 0): void {
    if (!points.length) return;
    const [w, h] = this.size;
    const [side, top, bottom] = [Math.min(140, w / 5), Math.min(150, h / 3), Math.min(120, h / 5)];
    const [xs, ys] = [points.map(([px]) => px), points.map(([, py]) => py)];
    const usual = this.before ?? this.scale;
    const left = Math.max(side, clear);
    const fits = Math.min((w - left - side) / spread(xs), (h - top - bottom) / spread(ys));
    const scale = Math.max(Math.min(usual, fits), Math.min(LEAST_TO_READ, usual * 1.5));
    this.before = scale < usual ? usual : null;
    // Where the scale changes, the points stay where they were, so that the reader does not lose them.
    const grown = scale - this.scale;
    const [x, y] = [this.x - mean(xs) * grown, this.y - mean(ys) * grown];
    const dx = shift(xs.map((px) => px * scale + x), left, w - side);
    const dy = shift(ys.map((py) => py * scale + y), top, h - bottom);
    if (dx || dy || grown) this.glideTo(fill(x + dx, w, this.width * scale), fill(y + dy, h, this.height * scale), scale);
  }

  private glideTo(x: number, y: number, scale: number): void {
    this.stop();
    if (this.calm()) return this.moveTo(x, y, scale);
    const from = [this.x, this.y, this.scale] as const;
    const began = performance.now();
    const step = (now: number) => {
      const t = Math.min(1, (now - began) / GLIDE);
      const k = t * t * (3 - 2 * t);
      this.moveTo(from[0] + (x - from[0]) * k, from[1] + (y - from[1]) * k, from[2] + (scale - from[2]) * k);
      this.glide = t < 1 ? requestAnimationFrame(step) : 0;
    };
    this.glide = requestAnimationFrame(step);
  }

  private stop(): void {
    cancelAnimationFrame(this.glide);
    this.glide = 0;
  }

  private moveTo(x: number, y: number, scale: number): void {
    const [w, h] = this.size;
    this.scale = scale;
    this.x = within(x, w, this.width * scale);
    this.y = within(y, h, this.height * scale);
    if (!this.wanted) this.wanted = requestAnimationFrame(() => this.place());
  }

  private place(): void {
    this.wanted = 0;
    clearTimeout(this.sharpen);
    this.drawn = { x: this.x, y: this.y, scale: this.scale };
    for (const layer of this.layers) {
      layer.style.willChange = "transform";
      layer.style.transform = `translate3d(${this.x}px,${this.y}px,0) scale(${this.scale})`;
    }
    this.placed(false);
    this.sharpen = setTimeout(() => this.rest(), SHARPEN_AFTER);
  }

  /** Without the hint the browser draws the layers anew, sharp at the scale they have come to rest at. */
  private rest(): void {
    for (const layer of this.layers) layer.style.willChange = "auto";
    this.placed(true);
  }
}

/** Hold the map in the frame: a fifth of the frame may lie beyond its edge; a small map stays in the middle. */
function within(offset: number, frame: number, map: number): number {
  const slack = frame / 5;
  if (map + 2 * slack < frame) return (frame - map) / 2;
  return Math.min(slack, Math.max(frame - map - slack, offset));
}

/** The same, but with nothing beyond the edge where the map is larger than the frame. */
function fill(offset: number, frame: number, map: number): number {
  return map < frame ? offset : Math.min(0, Math.max(frame - map, offset));
}

/** How far to move so that these places lie between two lines; their middle, if they are too far apart. */
function shift(places: number[], from: number, to: number): number {
  const [low, high] = [Math.min(...places), Math.max(...places)];
  if (high - low > to - from) return (from + to) / 2 - (low + high) / 2;
  return low < from ? from - low : high > to ? to - high : 0;
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function spread(numbers: number[]): number {
  return Math.max(1, Math.max(...numbers) - Math.min(...numbers));
}

/** The middle one of some numbers: a few far off do not pull it away. */
function middle(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
