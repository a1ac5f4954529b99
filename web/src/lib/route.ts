/** The march of a unit: along the roads as they are drawn, straight where there is none. */

import { text, type Point, type Shapes } from "./geometry";
import type { Board } from "./protocol";

/** Roads as they are drawn, by hexside, as x and y in turn. */
type Roads = Board["roads"];

export interface Route {
  points: Point[];
  /** Where each hex of the path, after the first, is reached. */
  stops: Point[];
}

export function routeAlong(path: readonly string[], shapes: Shapes, roads: Roads): Route {
  const points: Point[] = [];
  const stops: Point[] = [];
  for (let i = 0; i + 1 < path.length; i++) {
    const [from, to] = [path[i] ?? "", path[i + 1] ?? ""];
    const road = roadBetween(from, to, roads);
    const last = points.at(-1);
    const leg = road ?? [last ?? shapes.at(from), shapes.at(to)];
    points.push(...(last ? leg.slice(1) : leg));
    stops.push(points.at(-1) ?? shapes.at(to));
  }
  return { points, stops };
}

function roadBetween(from: string, to: string, roads: Roads): Point[] | null {
  const flat = roads[from < to ? `${from}/${to}` : `${to}/${from}`];
  if (!flat) return null;
  const line: Point[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) line.push([flat[i] ?? 0, flat[i + 1] ?? 0]);
  return from < to ? line : line.reverse();
}

/** Leave out what lies under the counter that moves. */
export function withoutStart(points: Point[], size: number): Point[] {
  const start = points[0];
  if (!start) return points;
  const outside = (p: Point) => Math.max(Math.abs(p[0] - start[0]), Math.abs(p[1] - start[1])) > size;
  const first = points.findIndex(outside);
  if (first < 1) return points;
  let inner = points[first - 1] ?? start;
  let outer = points[first] ?? start;
  for (let i = 0; i < 12; i++) {
    const middle: Point = [(inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2];
    if (outside(middle)) outer = middle;
    else inner = middle;
  }
  return [outer, ...points.slice(first)];
}

/** A smooth line through the points' middles. */
export function smooth(points: Point[]): string {
  const [first] = points;
  if (!first) return "";
  if (points.length < 3) return `M${points.map(text).join("L")}`;
  let path = `M${text(first)}`;
  for (let i = 1; i < points.length - 1; i++) {
    const here = points[i] ?? first;
    const next = points[i + 1] ?? here;
    const end: Point = i < points.length - 2 ? [(here[0] + next[0]) / 2, (here[1] + next[1]) / 2] : next;
    path += `Q${text(here)} ${text(end)}`;
  }
  return path;
}
