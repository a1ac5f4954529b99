/** The shapes of docs/protocol.md and bulge/core/look.py: all that the client knows of a game. */

export interface Named {
  id: string;
  title: string;
  words: string;
}

export interface ScenarioInfo extends Named {
  /** Who decides in it, where that differs from the game's players. */
  players: string[];
}

export interface GameInfo extends Named {
  sides: string[];
  players: string[];
  scenarios: ScenarioInfo[];
  levels: string[];
  usual_level: string;
}

export interface Rule {
  number: string;
  title: string;
  words: string;
}

export interface SideLook {
  id: string;
  name: string;
  polarity: "dark" | "light";
}

export interface SpaceLook {
  id: string;
  x: number;
  y: number;
  name: string;
  words: string;
  /** hex, space, staging, box, track. */
  kind: string;
  /** On the drawing, where it is no hex. */
  width: number;
  height: number;
}

export interface Face {
  id: string;
  name: string;
  short: string;
  side: string;
  style: string;
  symbol: string;
  size: string;
  bracketed: boolean;
  band: string;
  values: string[];
  arrives: string;
}

export interface Chart {
  id: string;
  title: string;
  rule: string;
  columns: string[];
  rows: string[][];
}

export interface Look {
  game: string;
  title: string;
  sides: SideLook[];
  spaces: SpaceLook[];
  hex_width: number;
  pointy: boolean;
  width: number;
  height: number;
  faces: Face[];
  charts: Chart[];
  turns: { label: string; words: string }[];
  phases: { step: string; side: string; name: string }[];
  overlays: { id: string; name: string; rule: string }[];
}

export interface Piece {
  unit: string;
  space: string;
  steps: number;
  flags: string[];
}

export interface Score {
  label: string;
  value: number;
  of: number;
  rule: string;
  /** What it is made up of. */
  words: string;
}

export interface Scene {
  turn: number;
  step: string;
  pieces: Piece[];
  marks: { kind: string; space: string; words: string }[];
  waiting: { box: string; units: string[] }[];
  scores: Score[];
  overlays: Record<string, string[]>;
}

export interface Option {
  id: string;
  words: string;
  spaces: string[];
  units: string[];
  cost: string | null;
}

export interface About {
  spaces: string[];
  units: string[];
}

export interface Decision {
  side: string;
  prompt: string;
  rule: string;
  mine: boolean;
  kind: string;
  top: boolean;
  options: Option[];
  about: About | null;
}

export interface GameEvent {
  at: number;
  rule: string;
  words: string;
  dice: number[];
  sides: number;
  spaces: string[];
  units: string[];
  by: string | null;
  /** What a computer player had in mind at the choice that led to this. */
  why: string;
}

export interface Result {
  winner: string | null;
  words: string;
  rule: string;
  points: Record<string, number>;
}

export interface State {
  match: string;
  game: string;
  n: number;
  /** Rises with every change, undo included. */
  rev: number;
  side: string | null;
  scene: Scene;
  decision: Decision | null;
  events: GameEvent[];
  /** How many of the events known before stay. */
  events_from: number;
  undo: boolean;
  redo: boolean;
  thinking: string | null;
  result: Result | null;
  commitment: string;
  seed: string | null;
  seats: Record<string, string>;
  note: string | null;
  /** People with secrets share this page. */
  curtain: boolean;
  hints: boolean;
}

export interface Preview {
  words: string;
  attack: number;
  defence: number;
  modifiers: { words: string; amount: number; rule: string; to: "strength" | "column" }[];
  column: string;
  /** Each result with its chance, as `1/6`. */
  chances: [string, string][];
  /** Which chart has the column, where several have one of that name. */
  chart: string;
}

export interface Reach {
  costs: Record<string, string>;
  paths: Record<string, string[]>;
  modes: Record<string, string>;
  /** What part of a cost is for. */
  notes: Record<string, string>;
  /** What the mover has left. */
  words: string;
}

export interface Refusal {
  rule: string;
  words: string;
}

export interface Hint {
  id: string;
  words: string;
}

export interface Trace extends Refusal {
  spaces: string[];
}

export interface MatchSummary {
  id: string;
  game: string;
  title: string;
  turn: number;
  to_play: string | null;
  over: boolean;
}

export interface NewMatch {
  game: string;
  scenario?: string;
  seed?: string;
  seats: Record<string, string>;
}

export interface Admission {
  id: string;
  host: string;
  tokens: Record<string, string>;
}

/** Roads as they are drawn, by hexside, as x and y in turn. */
export type Roads = Record<string, number[]>;

/** The drawn map in square pictures; in each, a pixel stands for so many units of the drawing. */
export interface TilesInfo {
  size: number;
  /** From the coarsest to the finest. */
  shrunk: number[];
}

export interface Board {
  roads: Roads;
  tiles: TilesInfo;
}
