/** What the reader of a match looks at and points at; it changes nothing. */

import { concerns, groupOf } from "../board/overlays";
import { Asking } from "./asking.svelte";
import { daysOf, type Day } from "./calendar";
import { asOf, type Log } from "./log";
import { Offer, actsOf, isEnd, isStrike, type Acts } from "./options";
import type { Chart, Hint, Option, Overlay, Piece, Reach, State, Step, Trace } from "./protocol";
import { chartOf } from "./results";
import { settings } from "./settings.svelte";
import type { Story } from "./story.svelte";
import { onItsWay } from "./walking";
import type { Verdict } from "./verdict";

/** Moves to be drawn over the board. */
export interface PlanLines {
  kind: "played" | "would";
  steps: Step[];
}

export abstract class Looking extends Asking {
  picked: string | null = $state(null);
  space: string | null = $state(null);
  fanned: string | null = $state(null);
  goal: string | null = $state(null);
  reach: Reach | null = $state.raw(null);
  /** What was pointed at and would roll: it waits for a click of its own. */
  armed: Option | null = $state.raw(null);
  /** A turn or phase is about to end with things undone, which is asked about once. */
  confirming = $state(false);
  hint: Hint | null = $state.raw(null);
  trace: Trace | null = $state.raw(null);
  /** What the review compares, or a hint proposes. */
  plans: PlanLines[] = $state.raw([]);
  /** What dice have just decided at a place of the map. */
  verdict: Verdict | null = $state.raw(null);
  /** The dice of the last change, for the tray. */
  rolled: { words: string; dice: number[] }[] = $state.raw([]);
  /** Places that the map should show; a new list is a new wish. */
  focus: string[] = $state.raw([]);
  openRule: string | null = $state(null);
  /** The log's lines from this one on tell what has happened since one last chose. */
  newsFrom = $state(Infinity);
  /** A hint has been asked for and is being thought over. */
  pondering = $state(false);
  /** Something was looked at since the question came. */
  lookedAt = $state(false);

  /** What happened since one last chose, while it is told. */
  abstract get story(): Story | null;

  readonly shown: State = $derived.by(() => {
    if (this.past) return this.past;
    const pieces = this.story?.pieces;
    return pieces ? { ...this.state, scene: { ...this.state.scene, pieces } } : onItsWay(this.state);
  });
  /** The log of that, as far as it is there. */
  readonly shownLog: Log = $derived.by(() => (this.past ? asOf(this.log, this.past) : this.log));
  readonly offer: Offer = $derived.by(() => new Offer(this.past || this.story ? null : this.state.decision));
  readonly pieces: Map<string, Piece> = $derived(new Map(this.shown.scene.pieces.map((piece) => [piece.unit, piece])));
  readonly stacks: Map<string, Piece[]> = $derived(this.stackPieces());
  /** Whether what is shown happens at night. */
  readonly atNight: boolean = $derived.by(() => {
    const told = this.story && !this.story.over ? this.story.beat?.step : undefined;
    return this.look.at_night.includes(told ?? this.shown.scene.step);
  });
  /** The turns of the calendar that this match can see. */
  readonly days: Day[] = $derived(daysOf(this.look.turns, this.shown.scene, this.faces));
  /** The number of its last turn. */
  readonly lastTurn: number = $derived(this.days.at(-1)?.number ?? 0);
  /** Where the current question is about: a target, a moving unit. */
  readonly about = $derived.by(() => (this.past || this.story ? null : (this.state.decision?.about ?? null)));

  /** The chart that has the column of the attack that is shown. */
  readonly chart: Chart | null = $derived.by(() => chartOf(this.look.charts, this.seen?.preview ?? null));
  /** What can be done, with what leads. */
  readonly acts: Acts = $derived(actsOf(this.offer, this.armed, this.seen?.preview.column ?? null, this.chart?.columns ?? []));

  /** The places that are being attacked. */
  readonly targets: string[] = $derived(this.seen ? (this.about?.spaces ?? []).filter((space) => this.shapes.has(space)) : []);

  private stackPieces(): Map<string, Piece[]> {
    const stacks = new Map<string, Piece[]>();
    for (const piece of this.shown.scene.pieces) {
      const here = stacks.get(piece.space);
      if (here) here.push(piece);
      else stacks.set(piece.space, [piece]);
    }
    return stacks;
  }

  /** What lies in a place beside units, in words. */
  markersAt(space: string): string[] {
    const here = this.shown.scene.marks.filter((mark) => mark.space === space);
    return [...new Set(here.map((mark) => this.plainly(mark.words)))];
  }

  isMine(unit: string): boolean {
    return this.faces.get(unit)?.side === this.campOf(this.state.side ?? this.state.decision?.side ?? null);
  }

  isOwnPhase(step: string): boolean {
    return this.phaseAt(step)?.side === this.campOf(this.state.side);
  }

  /** A question waits in the midst of the others' turn. */
  get amidTheirs(): boolean {
    const { scene, decision, side } = this.state;
    const whose = this.phaseAt(scene.step)?.side;
    return !!decision?.mine && !!whose && whose !== this.campOf(side);
  }

  isColumn({ id }: Option): boolean {
    return this.chart?.columns.includes(id) ?? false;
  }

  toneOf(option: Option): "risk" | "end" | "ink" {
    if (isEnd(option) && (option.role === "end_turn" || this.offer.decision?.top)) return "end";
    return option.rolls || isStrike(option) ? "risk" : "ink";
  }

  /** The places on the map where something can be chosen. */
  readonly offeredPlaces: string[] = $derived.by(() => {
    if (!this.offer.mine) return [];
    const units = [...this.offer.ready].flatMap((unit) => this.pieces.get(unit)?.space ?? []);
    return [...new Set([...this.offer.bySpace.keys(), ...units])].filter((space) => this.shapes.has(space)).sort();
  });

  /** Show the next of them, for those who do not find it by themselves. */
  showNext(): void {
    const places = this.offeredPlaces;
    const next = places[(places.indexOf(this.space ?? "") + 1) % places.length];
    if (!next) return;
    this.lookAt(null, next);
    this.focus = [next];
  }

  lookAt(unit: string | null, space: string | null): void {
    this.picked = unit;
    this.space = space;
    this.lookedAt = unit !== null || space !== null;
    this.trace = null;
    this.askTrace();
  }

  /** The line of supply of the unit that is looked at. */
  protected askTrace(): void {
    const unit = this.picked;
    if (unit && this.pieces.has(unit)) void this.question<Trace>("trace", { unit }).then((trace) => (this.trace = trace));
  }

  /** The options of a unit or hex that the pointer is over. */
  pointAt(space: string | null, unit: string | null): void {
    this.goal = space && this.reach && space in this.reach.costs ? space : null;
    this.hovered = unit;
    const option = unit ? this.offer.byUnit.get(unit) : undefined;
    if (option && this.state.decision && !this.state.decision.top && this.seen?.option !== option.id)
      void this.previewOf(option.id);
  }

  /** How the unit on its way gets to a place, and what it pays there. */
  howTo(space: string | null): string[] {
    return [space && this.reach?.modes[space], space && this.reach?.notes[space]].filter((said) => !!said) as string[];
  }

  showOption(option: Option): void {
    const spaces = option.units.flatMap((unit) => this.pieces.get(unit)?.space ?? []);
    this.focus = [...new Set([...option.spaces, ...spaces])];
    this.picked = option.units[0] ?? this.picked;
  }

  /** The layers that are switched on and concern this reader; whoever moves sees what is barred to him. */
  readonly overlaysShown: Overlay[] = $derived.by(() => {
    const me = this.campOf(this.state.side);
    return this.look.overlays.filter(
      (overlay) => (settings.overlays.includes(groupOf(overlay)) || (this.reach && overlay.pattern === "barred")) && concerns(overlay, me),
    );
  });
}
