/** Made by `python -m bulge.server.typescript` from the types that the server sends. Do not edit. */

export interface ServerInfo {
  version: string;
  /** What invitations begin with. */
  address: string;
  /** Whether that address leads back to the asker's own machine: nobody else could follow it. */
  only_here: boolean;
}

export interface ScenarioInfo {
  id: string;
  title: string;
  words: string;
  /** Who decides in it, where that differs from the game's `players`: a command that several people share. */
  players: string[];
}

export interface GameOption {
  id: string;
  title: string;
  words: string;
  rule: string;
  /** Each value with its words. */
  values: [string, string][];
  default: string;
  /** Where it can be chosen; empty: in all of them. */
  scenarios: string[];
  /** Where it changes nothing. It is not offered there, but was once: a kept match may have agreed on it. */
  idle: string[];
}

export interface Strength {
  name: string;
  /** Points above the weakest of the ladder, or the share of deals won in a game for one. */
  kind: "points" | "won";
  value: number;
  low: number;
  /** With 95 % confidence the true value lies between them. */
  high: number;
  games: number;
  /** Of processor time a player-turn, on the machine that played the ladder. */
  seconds: number | null;
  /** The one that they met in: in another they may differ more or less. */
  scenario: string;
}

export interface GameInfo {
  id: string;
  title: string;
  words: string;
  sides: string[];
  players: string[];
  scenarios: ScenarioInfo[];
  options: GameOption[];
  levels: string[];
  usual_level: string;
  /** Of those that were ranked, the best first. */
  strengths: Strength[];
  /** Sides for which there is a guided first game. */
  guided: string[];
}

export interface DrawingInfo {
  game: string;
  title: string;
  percent: number;
}

export interface Rule {
  number: string;
  title: string;
  words: string;
  /** The numbers of the rules that stand under it. */
  cases: string[];
}

export interface TilesInfo {
  /** Pixels along the side of a tile. */
  size: number;
  /** How many units of the drawing a pixel stands for, from the coarsest tiles to the finest. */
  shrunk: number[];
}

export interface Board {
  roads: Record<string, number[]>;
  tiles: TilesInfo;
}

export interface SideLook {
  id: string;
  name: string;
  /** `dark` or `light`: sides are told apart by polarity first, by hue second. */
  polarity: string;
  /** The colours that stand for it, where those of its polarity would not do. */
  style: string;
  /** Who they are in a sentence (`the Germans`), where the name is not one already. */
  people: string;
}

export interface SpaceLook {
  id: string;
  x: number;
  /** The centre on the drawing, in its units, y down. */
  y: number;
  name: string;
  /** What is there, for a text board: terrain, town, roads. */
  words: string;
  /** hex, space, box, staging, track. */
  kind: string;
  width: number;
  /** Its size on the drawing, where it is no hex; round if it is a `space`. */
  height: number;
}

export interface Face {
  id: string;
  name: string;
  short: string;
  side: string;
  /** Names one of the look's styles. */
  style: string;
  /** The NATO branch symbol: armor, mechanized, infantry, airborne, engineers, artillery, air_defence, cavalry, armored_cavalry, headquarters, none. */
  symbol: string;
  /** II, III, X, XX, XXX. */
  size: string;
  bracketed: boolean;
  /** Army or corps, for the coloured band. */
  band: string;
  /** What is printed large, by steps left: index 0 is unused, the last is full strength. */
  values: string[];
  /** Set-up hex, or turn and edge. */
  arrives: string;
  /** The values in words, where there is more to say than that each is a strength. */
  said: string[];
}

export interface Chart {
  id: string;
  title: string;
  rule: string;
  columns: string[];
  /** The first cell of a row is its heading. */
  rows: string[][];
}

export interface TurnNote {
  /** For the track; empty if there is no need for it there. */
  short: string;
  words: string;
  rule: string;
  /** `flag` for a line of victory, `air`, `begins` for a rule that holds from then on. */
  kind: string;
}

export interface TurnLook {
  label: string;
  /** What begins with it, in every scenario; who is due depends on the match: its scene says so (`Waiting`). */
  words: string;
  notes: TurnNote[];
}

export interface PhaseLook {
  /** The name of the step in the position. */
  step: string;
  /** Whose it is; empty where it is nobody's. */
  side: string;
  name: string;
  /** Further steps that belong to it. */
  also: string[];
}

export interface Overlay {
  id: string;
  name: string;
  rule: string;
  /** Those of one group are switched together, under this name: the same for each side. */
  group: string;
  /** Whose it is, where it is a side's. */
  side: string;
  /** How it is drawn: `zones` (hatched; one wants to see the enemy's), `supply` (dotted), `area`, `line`, and `barred` for what whoever moves must know of. */
  pattern: string;
  /** The side that holds what it covers: what that side has taken is told after its turn. */
  holds: string;
}

export interface StyleLook {
  id: string;
  ground: string;
  ink: string;
  rim: string;
}

export interface FlagLook {
  id: string;
  words: string;
  /** Lines of a small disc on the counter, as an SVG path between -6 and 6; none, no disc. */
  badge: string;
  /** `spent` veils the counter; of what is `bad`, one is told before one's turn ends. */
  effect: string;
}

export interface ResultLook {
  id: string;
  /** In a word or two. */
  name: string;
  words: string;
  /** Whom it hurts, which gives its colour: attacker, none, retreat, both, defender. */
  tone: string;
}

export interface CardLine {
  words: string;
  /** `event` in italics; `mark` for what cannot be played but should be known. */
  kind: string;
  /** When it is to be had; on other turns it is struck out. Empty: always. */
  turns: number[];
}

export interface CardUnit {
  symbol: string;
  words: string;
}

export interface CardLook {
  id: string;
  name: string;
  side: string;
  style: string;
  /** Printed in its corner, to be read in a fanned hand. */
  value: string;
  lines: CardLine[];
  /** What else it can be used for. */
  foot: string;
  number: string;
  units: CardUnit[];
}

export interface Lesson {
  title: string;
  /** At most forty; the last sentence says what to do. */
  words: string;
  /** Whom it guides. */
  side: string;
  /** What ends it: `picked UNIT`, `went UNIT`, `battle` (odds are shown), `rolled`, `step NAME`, `turn N`, or `read` for a button. */
  until: string;
  spaces: string[];
  /** What is ringed on the map. */
  units: string[];
}

export interface Wish {
  words: string;
  rule: string;
  spaces: string[];
}

export interface Briefing {
  /** By side. */
  wants: [string, Wish[]][];
  mistakes: Wish[];
  victory: Wish[];
}

export interface Look {
  game: string;
  title: string;
  sides: SideLook[];
  spaces: SpaceLook[];
  /** Drawing units across the flats of a hex; 0 where there are none. */
  hex_width: number;
  /** Hexes stand on a point. */
  pointy: boolean;
  width: number;
  height: number;
  faces: Face[];
  charts: Chart[];
  turns: TurnLook[];
  phases: PhaseLook[];
  overlays: Overlay[];
  styles: StyleLook[];
  flags: FlagLook[];
  results: ResultLook[];
  cards: CardLook[];
  lessons: Lesson[];
  briefing: Briefing | null;
  /** Steps of the sequence of play in which the map is shown as at night. */
  at_night: string[];
}

export interface NewMatch {
  game: string;
  scenario?: string | null;
  options?: Record<string, string>;
  seed?: string | null;
  seats?: Record<string, string>;
}

export interface Admission {
  id: string;
  host: string;
  tokens: Record<string, string>;
}

export interface MatchSummary {
  id: string;
  game: string;
  title: string;
  turn: number;
  to_play: string | null;
  over: boolean;
  /** Whether it never expires. */
  kept: boolean;
  /** When it is deleted, if nobody plays on or keeps it. */
  expires: string | null;
}

export interface Piece {
  unit: string;
  space: string;
  steps: number;
  /** moved, attacked, out_of_supply, ...: the look says what each means. */
  flags: string[];
}

export interface Mark {
  kind: string;
  space: string;
  words: string;
  /** What stands on the map; without one, the kind. */
  label: string;
}

export interface Waiting {
  /** `turn 4`, `lost`, or the name of a box. */
  box: string;
  units: string[];
}

export interface Score {
  label: string;
  value: number;
  of: number;
  rule: string;
  /** What it is made up of. */
  words: string;
}

export interface Hand {
  side: string;
  /** As far as one may see them. */
  cards: string[];
  /** How many more there are. */
  hidden: number;
  name: string;
}

export interface Deck {
  id: string;
  name: string;
  style: string;
  left: number;
  /** Face up, the last on top. */
  played: string[];
  /** The turn lasts as long as it does. */
  clock: boolean;
}

export interface Scene {
  turn: number;
  step: string;
  pieces: Piece[];
  marks: Mark[];
  waiting: Waiting[];
  scores: Score[];
  hands: Hand[];
  decks: Deck[];
  /** Where a scenario ends before the game's calendar does. */
  last_turn: number;
  /** Where it begins after the calendar does. */
  first_turn: number;
}

export interface Option {
  id: string;
  words: string;
  spaces: string[];
  units: string[];
  cost: string | null;
  /** Hexsides, such as `2020/2119`. */
  sides: string[];
  cards: string[];
  role: "" | "aside" | "back" | "end" | "end_phase" | "end_turn" | "idle" | "strike";
  /** Choosing it rolls a die or reveals something, and so cannot be undone. */
  rolls: boolean;
  /** It can be asked what it would lead to. */
  has_preview: boolean;
}

export interface About {
  spaces: string[];
  units: string[];
}

export interface InARow {
  words: string;
  rolls: boolean;
}

export interface Decision {
  side: string;
  prompt: string;
  rule: string;
  mine: boolean;
  kind: string;
  top: boolean;
  /** Empty for those who do not decide. */
  options: Option[];
  /** Ahead of these options, where there are very many: spaces that are offered with nothing more to say of them than the look does. */
  bare: string[];
  about: About | null;
  /** What one answer can do for this question and the next ones of its kind. */
  together: InARow | null;
}

export interface Condition {
  words: string;
  holds: boolean;
  /** What it gives where it holds. */
  effect: string;
  /** The same in numbers, by the side that it falls on. */
  counts: [string, number][];
}

export interface GameEvent {
  /** How many choices had been made when it happened. */
  at: number;
  /** The side whose choice led to it. */
  by: string | null;
  rule: string;
  words: string;
  dice: number[];
  sides: number;
  spaces: string[];
  units: string[];
  cards: string[];
  /** `turn`, `phase`, `card`, `move`, `battle`, `draw`, `result`, `retreat`, `loss` or `passed`, if any. */
  kind: string;
  /** What the computer player had in mind whose choice led to it; only where that tells no secret. */
  why: string;
  /** What it depended on, one by one, where a client can lay that out. */
  conditions: Condition[];
  /** How deep a reason it is for what follows: 1 for what a whole impulse hangs on, 9 for what led to the next line alone; 0 for what came of it all. */
  depth: number;
  /** In which step of the sequence of play; `phases` of the look has the names. */
  step: string;
}

export interface Result {
  /** The winning side; None for a draw. */
  winner: string | null;
  words: string;
  rule: string;
  points: Record<string, number>;
}

export interface Terms {
  /** Whether the computer may be asked for advice. */
  hints: boolean;
  /** How one goes back behind what is finished: a move, an attack, a phase. */
  undo: "ask" | "free" | "never";
  /** So many days for a move, after which the other side may claim the match; 0 for no clock. */
  days: number;
  /** Whether others may look on. They see what neither side hides. */
  watch: boolean;
}

export interface Offer {
  kind: "abandon" | "draw" | "rematch" | "undo";
  side: string;
  /** How many choices would be left, if somebody asks to go back. */
  to: number | null;
  /** What would then be undone, as everybody may read it. */
  undone: string[];
  /** Who has consented, where more than two sit: all must. */
  agreed: string[];
}

export interface Ending {
  how: "abandoned" | "agreed" | "flag" | "resigned" | "rules";
  winner: string | null;
  words: string;
}

export interface AtTable {
  listed: boolean;
  begun: boolean;
  terms: Terms;
  /** Who sits at each human side; null where somebody may still sit down. */
  people: Record<string, string | null>;
  /** What the server, and each who sits, published of their part of the dice. */
  commitments: Record<string, string>;
  /** Whether this page must now commit to its part of the dice, or reveal the one that it committed to. */
  wanted: "" | "commit" | "reveal";
  offer: Offer | null;
  ending: Ending | null;
  touched: string;
  deadline: string | null;
  /** How many messages there are that this page may read. */
  talk: number;
  /** The table of the rematch, once both agreed to it. */
  next: string;
  /** Who is on holiday, and until when. */
  away: Record<string, string>;
  /** Sides of which nobody is told whether they are here. */
  hidden: string[];
}

export interface State {
  match: string;
  game: string;
  /** How many choices have been made. */
  n: number;
  /** Rises with every change, undo included. */
  rev: number;
  side: string | null;
  scene: Scene;
  decision: Decision | null;
  events: GameEvent[];
  /** How many of the events known before stay. */
  events_from: number;
  /** How many events after those are not sent, since they would be too much: `log` asks for them. */
  skipped: number;
  undo: boolean;
  redo: boolean;
  thinking: string | null;
  result: Result | null;
  commitment: string;
  seed: string | null;
  seats: Record<string, string>;
  note: string | null;
  /** Whether a change of rules or data has left choices behind: the journal from before can be had. */
  cut: boolean;
  /** Several people share this page and have secrets: between two of them, it should show nothing. */
  curtain: boolean;
  /** Whether there is somebody to ask for a hint. */
  hints: boolean;
  /** The sides at which somebody has sat down with a link of their own. */
  held: string[];
  /** For a match among people with accounts: who they are, and what they agreed to. */
  table: AtTable | null;
  /** Open pages by their side, but for who hides that; an empty name for those who look on. */
  here: Record<string, number>;
  /** When each side's last page was closed, as far as this server knows. */
  left: Record<string, string>;
  /** Whether somebody may know the dice to come: whoever chose the seed, or took the journal away. */
  known_dice: boolean;
}

export interface Modifier {
  words: string;
  amount: number;
  rule: string;
  /** What it changes: the strength of a side, or the `column` of the table. */
  to: string;
}

export interface Spread {
  of: string;
  chances: [string, string][];
}

export interface Preview {
  words: string;
  attack: number;
  defence: number;
  modifiers: Modifier[];
  column: string;
  /** Each result with its exact chance, as `1/6`. */
  chances: [string, string][];
  chart: string;
  /** What the chances are of, where they are numbers and no results of a chart. */
  of: string;
  others: Spread[];
}

export interface Reach {
  costs: Record<string, string>;
  /** The way that would be walked, both ends included. */
  paths: Record<string, string[]>;
  /** How it gets there, where a game has several ways of moving. */
  modes: Record<string, string>;
  /** What part of the cost is for, where that is not plain. */
  notes: Record<string, string>;
  /** What the mover has left, and how it moves now. */
  words: string;
}

export interface Refusal {
  rule: string;
  words: string;
}

export interface Step {
  unit: string;
  from_: string;
  to: string;
}

export interface Proposal {
  /** Less than the best plan's by so much, in points of strength, after the same replies of the enemy. */
  worth: number;
  /** Of winning before the enemy's next move, for whoever asked; none where it was not learned. */
  chance: number | null;
  low: number | null;
  high: number | null;
  words: string;
  steps: Step[];
}

export interface Hint {
  id: string;
  words: string;
  /** For a phase of moves: up to three plans that differ, the first one is the hint's. */
  plans: Proposal[];
}

export interface Trace {
  rule: string;
  words: string;
  spaces: string[];
}

export interface Blow {
  target: string;
  from_: string;
  units: string[];
  odds: Preview;
}

export interface Threat {
  unit: string;
  costs: Record<string, string>;
  blows: Blow[];
  words: string;
}

export interface Threats {
  could: Threat;
  /** Who could attack it. */
  by: Threat[];
}

export interface Dangers {
  blows: Blow[];
  /** Places where nobody stands, and who could go there first. */
  reached: Record<string, string>;
}

export interface LogPage {
  /** How many lines come before these. */
  first: number;
  events: GameEvent[];
}

export interface Frame {
  n: number;
  by: string | null;
  turn: number;
  step: string;
  /** Counters that are new, have moved or changed, as they are afterwards. */
  moved: Piece[];
  gone: string[];
  events: GameEvent[];
}

export interface Change {
  new: string[];
  gone: string[];
}

export interface Telling {
  since: number;
  /** What lay where before the first frame. */
  pieces: Piece[];
  scores: Score[];
  frames: Frame[];
  /** Of the overlays that were asked for, those that changed. */
  changes: Record<string, Change>;
}

export interface Me {
  name: string;
  role: string;
  email: string;
  words: string;
  /** While on holiday. */
  away_until: string | null;
  /** Otherwise passkeys are the only way in. */
  has_password: boolean;
  /** Whether others do not see when one is here. */
  hidden: boolean;
}

export interface SideRecord {
  side: string;
  won: number;
  drawn: number;
  lost: number;
  low: number;
  /** The true share of matches won lies between these, nineteen times of twenty. */
  high: number;
}

export interface Standing {
  game: string;
  rating: number;
  /** The true strength lies within so much of the rating, nineteen times of twenty. */
  range: number;
  won: number;
  drawn: number;
  lost: number;
  sides: SideRecord[];
}

export interface Profile {
  name: string;
  words: string;
  since: string;
  records: Standing[];
  /** While on holiday. */
  away_until: string | null;
}

export interface NewTable {
  game: string;
  scenario?: string | null;
  options?: Record<string, string>;
  /** Side to `human` or the level of a computer player; whatever is not named is human. */
  seats?: Record<string, string>;
  terms?: Terms;
  /** Whether everybody sees it; otherwise only who has the invitation. */
  listed?: boolean;
}

export interface NewTableMade {
  id: string;
  invitation: string;
}

export interface WayBack {
  /** How many choices would be left. */
  to: number;
  /** The first thing that would be undone. */
  words: string;
}

export interface SmallMap {
  width: number;
  height: number;
  /** Ground held by the Germans; empty where a game has none. */
  held: string;
  front: string;
  /** The last move: from where and to where. */
  move: [number, number, number, number] | null;
}

export interface TableSummary {
  id: string;
  game: string;
  scenario: string;
  options: Record<string, string>;
  people: Record<string, string | null>;
  terms: Terms;
  begun: boolean;
  to_play: string | null;
  turn: number;
  /** The asker's side. */
  mine: string | null;
  my_turn: boolean;
  listed: boolean;
  touched: string;
  deadline: string | null;
  offer: Offer | null;
  ending: Ending | null;
  /** What the asker's page must do before the match can begin. */
  wanted: "" | "commit" | "reveal";
  /** What happened last, in words; like offer and map, only for who may look on. */
  last: string;
  /** Whether it never expires. */
  kept: boolean;
  /** When it is deleted, if nobody plays on or keeps it. */
  expires: string | null;
  /** As it stood when the turn last passed. */
  map: SmallMap | null;
  /** The sides that have the match open, but for who hides that; an empty name for those who look on. */
  here: string[];
  /** Sides of which nobody is told whether they are here. */
  hidden: string[];
}

export interface Message {
  number: number;
  name: string;
  turn: number;
  words: string;
  at: string;
  /** Whether somebody said it who looked on. */
  gallery: boolean;
}

export interface Note {
  turn: number;
  words: string;
  /** Whether others may read it, the match being over. */
  shared: boolean;
}

export interface SharedNote {
  name: string;
  turn: number;
  words: string;
}

export interface Channel {
  id: string;
  kind: string;
  /** Where it leads; of a browser only its push service. */
  target: string;
  events: ("asked" | "clock" | "ended" | "talk" | "turn")[];
  confirmed: boolean;
  failure: string;
}

export interface Quiet {
  begin: string;
  end: string;
  zone: string;
}

export interface Ways {
  kinds: string[];
  /** For a browser that subscribes. */
  push_key: string;
  channels: Channel[];
  /** The hours in which nothing is told. */
  quiet: Quiet | null;
}

export interface Moment {
  /** How many choices had been made. */
  at: number;
  turn: number;
  step: string;
  /** Who decided then. */
  side: string;
  chance: number;
  low: number;
  high: number;
}

export interface Turning {
  kind: "luck" | "play";
  /** The choice to look at, counted from 1. */
  at: number;
  turn: number;
  /** Whose play or whose die it was. */
  side: string;
  /** What it did to the chance of the first side. */
  swing: number;
  /** The chance of the first side after what happened. */
  came: number;
  /** The same after the computer's plan; for luck, on average over all faces of the die. */
  instead: number;
  words: string;
  /** Line by line all that happened, where the words are only its headline. */
  detail: string;
  /** What the computer would have done, with its reasons. */
  better: string;
  spaces: string[];
  /** Who moved otherwise than the computer would have. */
  played: Step[];
  /** The same units, and others, as the computer would have moved them. */
  would: Step[];
}

export interface Review {
  game: string;
  scenario: string;
  /** The side whose chances these are. */
  first: string;
  result: string;
  winner: string | null;
  moments: Moment[];
  /** The largest swings, in the order of play. */
  turnings: Turning[];
  /** What all dice together did to the chance of the first side. */
  luck: number;
  /** How often something was rolled or drawn that could change the chances. */
  dice: number;
  /** What each side gave away by its moves, in chances of its own; empty where the rules play the enemy, and no plans are made to compare with. */
  play: Record<string, number>;
  /** What each side gained by moves that were better than the computer's plan. */
  strokes: Record<string, number>;
}

export interface Town {
  name: string;
  x: number;
  y: number;
}

export interface Country {
  width: number;
  height: number;
  rivers: string;
  borders: string;
  towns: Town[];
}

export interface FrontDay {
  day: number;
  /** The ground behind it, as a path. */
  held: string;
  /** The line of 1944, as a path. */
  history: string;
  /** How far the attacker had come from its start. */
  depth: number;
  depth_1944: number;
}

export interface Course {
  /** What each turn is called. */
  turns: string[];
  /** By side: lost in each turn. */
  losses: Record<string, number[]>;
  loss_words: string;
  /** What depth is measured in. */
  depth_words: string;
  attacker: string;
  /** None where the map is of no real country. */
  country: Country | null;
  fronts: FrontDay[];
}

export interface Reviewed {
  review: Review;
  course: Course;
}

export interface ReviewState {
  /** `none`: of this game nothing was learned, so there are no chances to show. */
  state: "failed" | "made" | "making" | "none";
  percent: number;
  /** Why there is none. */
  words: string;
  /** What the chances were learned from. */
  made_by: string;
  reviewed: Reviewed | null;
}

export interface Passkey {
  id: string;
  name: string;
  created: string;
  used: string | null;
}

export interface Session {
  id: string;
  /** What the browser calls itself. */
  agent: string;
  created: string;
  /** Whether it is the one that asks. */
  here: boolean;
}

export interface Account {
  name: string;
  role: string;
  since: string;
  suspended: boolean;
  /** When they last signed in. */
  seen: string | null;
}

export interface Deed {
  number: number;
  at: string;
  by: string;
  words: string;
}

export interface ModeratedMatch {
  id: string;
  game: string;
  people: Record<string, string | null>;
  listed: boolean;
  over: boolean;
  touched: string;
  talk: number;
}

export interface Report {
  number: number;
  at: string;
  by: string;
  about: string | null;
  match: string;
  /** The number of the message that it is about; 0 for none. */
  message: number;
  /** What that message says now; empty for a moderator who may not read it yet. */
  said: string;
  words: string;
  closed: boolean;
}

export interface Use {
  what: "imports" | "kept" | "matches" | "pages" | "storage" | "tables" | "thinking";
  used: number;
  /** 0: as much as one likes. */
  allowed: number;
}
