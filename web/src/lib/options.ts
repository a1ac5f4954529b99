/** What a decision offers, by the things one can point at. */

import type { Condition, Decision, GameEvent, Option, Reach, Score, State } from "./protocol";

export class Offer {
  readonly bySpace = new Map<string, Option>();
  readonly byUnit = new Map<string, Option>();
  /** Units that can be chosen and have something to do. */
  readonly ready = new Set<string>();
  readonly bySide = new Map<string, Option>();
  readonly byCard = new Map<string, Option>();
  /** Options that point at nothing: buttons. */
  readonly plain: Option[] = [];
  /** Options that point at the same thing as another one does: a click could mean either, so they are listed. */
  readonly rivals = new Set<Option>();

  constructor(readonly decision: Decision | null) {
    for (const option of decision?.options ?? []) {
      // Of a unit one also says where it is, of a destination who would go there: only what is chosen is pointed at.
      if (!option.sides.length && (decision?.kind !== "unit" || !option.units.length)) for (const space of option.spaces) this.point(this.bySpace, space, option);
      if (decision?.kind === "unit" || !option.spaces.length)
        for (const unit of option.units) {
          this.point(this.byUnit, unit, option);
          if (option.role !== "idle") this.ready.add(unit);
        }
      for (const side of option.sides) this.point(this.bySide, side, option);
      for (const card of option.cards) this.point(this.byCard, card, option);
      if (!option.spaces.length && !option.units.length && !option.sides.length && !option.cards.length) this.plain.push(option);
    }
  }

  private point(at: Map<string, Option>, place: string, option: Option): void {
    const other = at.get(place);
    if (other) this.rivals.add(other).add(option);
    at.set(place, option);
  }

  get mine(): boolean {
    return this.decision?.mine ?? false;
  }

  /** A unit is on its way: hexes with a cost are offered. */
  get moving(): boolean {
    return this.mine && [...this.bySpace.values()].some((option) => option.cost !== null);
  }

  /** Few enough plain options to be buttons of the prompt, or short ones such as numbers. */
  get buttons(): Option[] {
    const letters = this.plain.reduce((sum, { words }) => sum + words.length, 0);
    return this.plain.length <= MOST_BUTTONS || (this.plain.length <= MOST_SHORT_BUTTONS && letters <= MOST_LETTERS) ? this.plain : [];
  }
}

const MOST_BUTTONS = 4;
const MOST_SHORT_BUTTONS = 14;
const MOST_LETTERS = 30;
/** What the same section of the rules brings about so many choices after a roll still belongs to it. */
const FOLDED_WITHIN = 4;

/** What the foot of the rail offers: one act before the others, in one place. */
export interface Acts {
  primary: Option | null;
  others: Option[];
}

/**
 * The act that leads: what was pointed at and waits for its own click, the column that is shown, what strikes, what
 * ends; else the last. Where there is one choice only, it leads, also before a word that declines it. Of columns only the one that is shown is an act; the others are looked at in their table.
 */
export function actsOf(offer: Offer, armed: Option | null, column: string | null, columns: readonly string[]): Acts {
  if (armed) return { primary: armed, others: [] };
  const buttons = offer.mine ? offer.buttons : [];
  // What is too much for the foot is listed; what strikes or ends stands here all the same.
  const stays = (option: Option) => buttons.includes(option) || (offer.mine && (isStrike(option) || isEnd(option)));
  const plain = offer.plain.filter((option) => (columns.includes(option.id) ? option.id === column : stays(option)));
  const [only] = offer.decision?.options ?? [];
  if (only && offer.mine && offer.decision?.options.length === 1) return { primary: only, others: [] };
  const pointed = (offer.decision?.options ?? []).filter((option) => !offer.plain.includes(option));
  // Who alone may advance is not passed over by Enter: what declines it stands beside it.
  if (offer.mine && pointed[0] && pointed.length === 1 && plain.length && plain.every(({ role }) => !role)) return { primary: pointed[0], others: plain };
  const primary = plain.find(({ id }) => id === column) ?? plain.find(isStrike) ?? plain.find(isEnd) ?? leading(offer, plain);
  return { primary, others: plain.filter((option) => option !== primary) };
}

/**
 * The way back never leads, nor what lies beside the question, nor one of several numbers; nor does one of several ways
 * on beside the way back, so that Enter does nothing by chance.
 */
function leading({ decision }: Offer, plain: readonly Option[]): Option | null {
  const onward = plain.filter(({ role }) => role !== "back" && role !== "aside");
  const several = onward.length > 1 && (decision?.kind === "number" ? onward.every(({ id }) => /^\d+$/.test(id)) : onward.length < plain.length);
  return several ? null : (onward.at(-1) ?? null);
}

/** A phase's name within a sentence: small, unless it has names in it. */
export function inSentence(name: string): string {
  return / [A-Z]/.test(name) ? name : name.toLowerCase();
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Whether there is something half done to give up: a choice at the top of a phase, such as a unit to move, was made,
 * and nothing has been settled since. Which of one's units takes a hit is no such thing: only undo takes that back.
 */
export function givesUp(now: State, before: State, begun: boolean): boolean {
  if (!now.decision?.mine || now.decision.top || !now.undo) return false;
  return begun || now.n < before.n || !!(before.decision?.mine && before.decision.top);
}

/** An option that commits an attack. */
export function isStrike({ role }: Option): boolean {
  return role === "strike";
}

/** An option that closes what is going on, so that something else can be chosen next. */
export function isEnd({ role }: Option): boolean {
  return role === "end" || role === "end_phase" || role === "end_turn";
}

/** Where a unit can go, in one way of moving or in any. */
export function inReach(reach: Reach | null, manner: string | null): string[] {
  return reach ? Object.keys(reach.costs).filter((space) => manner === null || (reach.modes[space] ?? "") === manner) : [];
}

/** The ways of moving by which something can be reached; the usual one has no name. */
export function mannersOf({ costs, modes }: Reach): string[] {
  return [...new Set(Object.keys(costs).map((space) => modes[space] ?? ""))].sort();
}

/** What a click on the map means. */
export type Meaning =
  | { act: "choose" | "go"; id: string }
  | { act: "fan"; space: string }
  | { act: "leave"; unit: string }
  | { act: "end_then"; end: string; then: string }
  | { act: "look"; unit: string | null; space: string };

export interface Click {
  space: string;
  unit: string | null;
  /** The units of the space, top first. */
  stack: readonly string[];
  /** The stack lies open, so that the unit was meant. */
  fanned: boolean;
}

export function meaningOf(
  click: Click,
  offer: Offer,
  reach: Reach | null,
  own: (unit: string) => boolean,
  named: (unit: string) => boolean = () => false,
): Meaning {
  const looked: Meaning = { act: "look", unit: click.unit, space: click.space };
  if (!offer.mine) return click.stack.length > 1 && !click.fanned ? { act: "fan", space: click.space } : looked;
  const offered = click.stack.filter((unit) => offer.byUnit.has(unit));
  const dropped = click.stack.filter(named);
  if (click.fanned && click.unit && named(click.unit)) return { act: "leave", unit: click.unit };
  if (offered.length && dropped.length && !click.fanned) return { act: "fan", space: click.space };
  if (offered.length) return meaningAmongUnits(click, offered, offer);
  if (dropped.length) return dropped.length === 1 && dropped[0] ? { act: "leave", unit: dropped[0] } : { act: "fan", space: click.space };
  const there = offer.bySpace.get(click.space);
  if (there) return offer.rivals.has(there) ? looked : { act: "choose", id: there.id };
  if (reach && click.space in reach.costs) return { act: "go", id: click.space };
  const end = offer.moving ? offer.plain.find(isEnd) : undefined;
  if (end && click.unit && own(click.unit) && !offer.decision?.about?.units.includes(click.unit)) return { act: "end_then", end: end.id, then: click.unit };
  return click.stack.length > 1 && !click.fanned ? { act: "fan", space: click.space } : looked;
}

function meaningAmongUnits(click: Click, offered: string[], offer: Offer): Meaning {
  const meant = click.fanned && click.unit ? click.unit : offered.length === 1 ? offered[0] : undefined;
  if (meant === undefined) return { act: "fan", space: click.space };
  const option = offer.byUnit.get(meant);
  return option && !offer.rivals.has(option) ? { act: "choose", id: option.id } : { act: "look", unit: meant, space: click.space };
}

/** A chance that came as `1/6`. */
export function chance(value: string): number {
  const [above = "0", below = "1"] = value.split("/");
  return Number(above) / Number(below || 1);
}

/** The log as lines: a die belongs to the sentence that tells its effect. */
export interface Line {
  key: number;
  at: number;
  rule: string;
  words: string;
  dice: { value: number; sides: number }[];
  spaces: string[];
  units: string[];
  cards: string[];
  heading: boolean;
  kind: string;
  /** How deep a reason it is for what follows. */
  depth: number;
  conditions: Condition[];
  /** What a computer player had in mind. */
  why: string;
  step: string;
}

/** The first event has the number from which on they are counted. */
export function narrate(events: readonly GameEvent[], from = 0): Line[] {
  const lines: Line[] = [];
  let thrown: GameEvent | null = null;
  const dice = (event: GameEvent) => event.dice.map((value) => ({ value, sides: event.sides }));
  const plain = (event: GameEvent, key: number): Line => ({ ...event, key, dice: dice(event), heading: isHeading(event) });
  events.forEach((event, i) => {
    const key = from + i;
    if (thrown && !event.dice.length && event.rule === thrown.rule) {
      lines.push({ ...plain(event, key), dice: dice(thrown), why: thrown.why || event.why });
      thrown = null;
      return;
    }
    if (thrown) lines.push(plain(thrown, key - 1));
    thrown = event.dice.length ? event : null;
    if (!thrown) lines.push(plain(event, key));
  });
  if (thrown) lines.push(plain(thrown, from + events.length - 1));
  return lines;
}

/** A battle with what came of it: one entry that opens. */
export interface Entry extends Line {
  more: Line[];
}

/** Lines that tell what came of a roll, up to the next roll, march or heading, are folded into it. */
export function foldFights(lines: readonly Line[]): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const last = entries.at(-1);
    if (last?.dice.length && last.spaces.length && cameOf(line, last)) last.more.push(line);
    else entries.push({ ...line, more: [] });
  }
  return entries;
}

function cameOf(line: Line, roll: Line): boolean {
  if (line.heading || line.dice.length || line.depth || roll.depth) return false;
  // A choice may lead through phases that rules play: what happens in the next did not come of it.
  return (line.at === roll.at && line.step === roll.step) || (line.at - roll.at <= FOLDED_WITHIN && sectionOf(line.rule) === sectionOf(roll.rule));
}

/** The section of a rulebook that a rule belongs to. */
const sectionOf = (rule: string) => rule.split(".")[0];

function isHeading({ kind }: GameEvent): boolean {
  return kind === "turn" || kind === "phase";
}

export function scorePips(score: Score): boolean[] {
  return Array.from({ length: Math.min(score.of, 40) }, (_, i) => i < score.value);
}
