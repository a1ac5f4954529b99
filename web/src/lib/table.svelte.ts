/** One match as this browser sees it: the state from the server, what the reader points at, and what was asked about it. */

import { Asking } from "./asking.svelte";
import { concerns, groupOf } from "../board/overlays";
import { api } from "./api";
import { Following } from "./following.svelte";
import { Guide } from "./guide.svelte";
import { canLeaveOut, leaveOut } from "./leaving";
import { Offer, actsOf, isEnd, isStrike, meaningOf, type Acts, type Click } from "./options";
import { chartOf } from "./results";
import type { Board, Chart, GameEvent, Hint, InARow, Look, Option, Overlay, Piece, Reach, Rule, State, Step, Trace } from "./protocol";
import { settings } from "./settings.svelte";
import { chime, knock } from "./sounds";
import type { Story } from "./story.svelte";
import { undoneOf, type Undone } from "./undone";
import { onItsWay, placesOf } from "./walking";
import { verdictOf, type Verdict } from "./verdict";

/** Moves to be drawn over the board. */
export interface PlanLines {
  kind: "played" | "would";
  steps: Step[];
}

const MOST_TRIED = 3; // plain options whose odds are asked for, until one has any
const MOST_ROLLS = 4;

export class Table extends Asking {
  picked: string | null = $state(null);
  space: string | null = $state(null);
  fanned: string | null = $state(null);
  goal: string | null = $state(null);
  reach: Reach | null = $state.raw(null);
  /** What was pointed at and would roll: it waits for a click of its own. */
  armed: Option | null = $state.raw(null);
  /** The turn is about to end with things undone, which is asked about once. */
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
  /** Who sits before this page, where several people share it. */
  private sitting: string | null = $state(null);

  private after: string | null = null;
  /** The choices that the last walk took together, so that undo takes them back together. */
  private walked: { from: number; to: number } | null = null;

  guide: Guide | null = $state.raw(null);
  private readonly following: Following;

  readonly shown: State = $derived.by(() => {
    if (this.past) return this.past;
    const pieces = this.story?.pieces;
    return pieces ? { ...this.state, scene: { ...this.state.scene, pieces } } : onItsWay(this.state);
  });
  readonly offer: Offer = $derived(new Offer(this.past || this.story ? null : this.state.decision));
  readonly pieces: Map<string, Piece> = $derived(new Map(this.shown.scene.pieces.map((piece) => [piece.unit, piece])));
  readonly stacks: Map<string, Piece[]> = $derived(this.stackPieces());
  /** Where the current question is about: a target, a moving unit. */
  readonly about = $derived(this.past || this.story ? null : (this.state.decision?.about ?? null));

  /** Whether the page must show nothing until the next person has sat down. */
  readonly veiled: boolean = $derived(this.state.curtain && this.state.side !== null && this.state.side !== this.sitting);

  /** The chart that has the column of the attack that is shown. */
  readonly chart: Chart | null = $derived.by(() => chartOf(this.look.charts, this.seen?.preview ?? null));
  /** What can be done, with what leads. */
  readonly acts: Acts = $derived(actsOf(this.offer, this.armed, this.seen?.preview.column ?? null, this.chart?.columns ?? []));

  /** The places that are being attacked. */
  readonly targets: string[] = $derived(this.seen ? (this.about?.spaces ?? []).filter((space) => this.shapes.has(space)) : []);

  constructor(
    readonly id: string,
    readonly token: string,
    look: Look,
    rules: Rule[],
    readonly board: Board,
    state: State,
  ) {
    super(look, rules, api.line(id, token), state);
    this.following = new Following(this);
  }

  /** To look back, nothing is told and nobody is guided. */
  static async open(id: string, token: string, lookingBack = false): Promise<Table> {
    const state = await api.state(id, token);
    const [look, rules, board] = await Promise.all([api.look(id, token), api.rules(state.game), api.board(state.game)]);
    const table = new Table(id, token, look, rules, board, state);
    if (lookingBack) return table;
    table.explore();
    if (Guide.isWanted(table)) table.guide = new Guide(table);
    table.following.catchUp();
    return table;
  }

  close(): void {
    this.story?.close();
    this.live.close();
  }

  private stackPieces(): Map<string, Piece[]> {
    const stacks = new Map<string, Piece[]>();
    for (const piece of this.shown.scene.pieces) {
      const here = stacks.get(piece.space);
      if (here) here.push(piece);
      else stacks.set(piece.space, [piece]);
    }
    return stacks;
  }

  // ------------------------------------------------------------------ what the server says

  protected hear(next: State): void {
    const before = this.state;
    const events = [...before.events.slice(0, next.events_from), ...next.events];
    if (next.n > before.n) this.noteNews(before, events);
    const changed = next.rev !== before.rev;
    if (changed) this.forgetPointing();
    this.state = { ...next, events };
    this.following.follow(before);
    if (next.decision?.mine && before.decision && !before.decision.mine) chime();
    if (!changed) return this.inquire();
    const then = this.after;
    this.after = null;
    const wanted = then ? this.offer.byUnit.get(then) : undefined;
    if (wanted) void this.choose(wanted.id);
    else this.explore();
  }

  /** What happened since one last chose, while it is told. */
  get story(): Story | null {
    return this.following.story;
  }

  /** Tell it again, also after days away. */
  retell(): void {
    this.following.retell();
  }

  endStory(): void {
    this.following.story = null;
    this.explore();
  }

  isMine(unit: string): boolean {
    return this.faces.get(unit)?.side === this.campOf(this.state.side ?? this.state.decision?.side ?? null);
  }

  private noteNews(before: State, events: GameEvent[]): void {
    const news = events.slice(before.events.length);
    this.newsFrom = before.decision?.mine ? before.events.length : Math.min(this.newsFrom, before.events.length);
    const thrown = news.filter((event) => event.dice.length);
    this.verdict = verdictOf(news);
    if (thrown.length) {
      knock();
      this.rolled = thrown.slice(-MOST_ROLLS).map(({ words, dice }) => ({ words, dice }));
    }
    const fought = thrown.length ? news.flatMap((event) => event.spaces) : [];
    if (!this.offer.mine && fought.length) this.focus = fought.slice(-1);
  }

  private forgetPointing(): void {
    this.fanned = this.goal = this.reach = this.seen = this.whyNot = this.hint = this.trace = this.armed = this.complaint = this.threats = this.manner = null;
    this.confirming = false;
    this.plans = [];
    if (this.picked && !this.pieces.has(this.picked)) this.picked = null;
  }

  /** Turn to a new question: take up what it is about, show where it belongs, and ask what belongs to it. */
  private explore(): void {
    const { decision } = this.state;
    const about = decision?.about?.units ?? [];
    if (this.offer.moving && about[0] && !about.includes(this.picked ?? "")) this.picked = about[0];
    else if (decision?.mine && about.length === 1 && about[0]) this.picked = about[0];
    if (decision?.mine && (!decision.top || about.length)) this.focus = placesOf(decision, this.pieces);
    this.inquire();
  }

  /** Ask for what the page shows beside the options, unless it has it: where a unit can go, what an attack would bring. */
  private inquire(): void {
    if (this.reach || this.seen) return;
    const { decision } = this.state;
    if (this.offer.moving) {
      void this.question<Reach>("reach").then((reach) => (this.reach = reach));
      if (this.overlaysShown.some(({ pattern }) => pattern === "supply")) this.askTrace();
    }
    if (decision?.mine && (!decision.top || this.offer.byCard.size)) void this.tryOdds();
  }

  private async tryOdds(): Promise<void> {
    const { plain, byUnit } = this.offer;
    const candidates = [...plain.slice(0, MOST_TRIED), ...[...byUnit.values()].slice(0, 1)];
    for (const option of candidates) {
      await this.previewOf(option.id);
      if (this.seen) return;
    }
  }

  // ------------------------------------------------------------------ what the reader does

  choose(id: string): Promise<boolean> {
    return this.act("choose", { id });
  }

  // ------------------------------------------------------------------ the act at the foot

  isColumn({ id }: Option): boolean {
    return this.chart?.columns.includes(id) ?? false;
  }

  toneOf(option: Option): "risk" | "end" | "ink" {
    if (option.rolls || isStrike(option)) return "risk";
    return option.role === "end_turn" || (isEnd(option) && this.offer.decision?.top) ? "end" : "ink";
  }

  /** Do it; the end of a turn with things undone is asked about once. */
  take(option: Option): void {
    const asks = option.role === "end_turn" && this.undone.length > 0 && settings.confirms && !this.confirming;
    if (asks) this.confirming = true;
    else void this.choose(option.id);
  }

  /** What rolls is not chosen by pointing at it: it waits for a click of its own. */
  private arm(id: string): boolean {
    const option = this.state.decision?.options.find((each) => each.id === id);
    if (!option?.rolls) return false;
    this.armed = option;
    this.picked = option.units[0] ?? this.picked;
    return true;
  }

  /** Take a card up, or lay it back. */
  lift(card: string): void {
    const option = this.offer.byCard.get(card);
    if (!option || this.offer.rivals.has(option)) return;
    this.armed = this.armed === option ? null : option;
  }

  /** Choose a hexside by pointing at it. */
  pressSide(side: string): void {
    const option = this.offer.bySide.get(side);
    if (option && !this.arm(option.id)) this.take(option);
  }

  /** Show what an option would bring, where that can be said. */
  tryOption(option: Option): void {
    if (!this.state.decision?.top && this.seen?.option !== option.id) void this.previewOf(option.id);
  }

  takePrimary(): void {
    const { primary } = this.acts;
    if (this.story) this.story.goOn();
    else if (primary) this.take(primary);
    else if (this.together) void this.takeTogether();
  }

  /** What one answer can do for several questions. */
  readonly together: InARow | null = $derived(this.offer.mine && !this.armed && !this.past ? (this.state.decision?.together ?? null) : null);

  takeTogether(): Promise<void> {
    return this.inARow("together", {});
  }

  /** End the phase or turn, where that is offered. */
  takeEnd(): void {
    const end = this.offer.plain.find(isEnd);
    if (end && !this.story) this.take(end);
  }

  /** What could still be done before what leads ends this. */
  readonly undone: Undone[] = $derived.by(() => undoneOf(this));

  showAll(places: string[]): void {
    this.focus = [...places];
  }

  go(id: string): Promise<void> {
    return this.inARow("go", { id });
  }

  private async inARow(type: string, fields: Record<string, string>): Promise<void> {
    const from = this.state.n;
    await this.act(type, fields);
    this.walked = { from, to: this.state.n };
  }

  async undo(): Promise<void> {
    const least = this.walked?.to === this.state.n ? this.walked.from : this.state.n - 1;
    this.walked = null;
    while (this.state.undo && this.state.n > least && (await this.act("undo")));
  }

  async redo(): Promise<void> {
    if (this.state.redo) await this.act("redo");
  }

  /** Give up what is open or half done: one thing at a time. */
  cancel(): void {
    if (this.story) return this.takePrimary();
    const { decision, undo } = this.state;
    if (this.whyNot || this.armed || this.fanned || this.hint || this.confirming || this.threats) {
      this.whyNot = this.armed = this.fanned = this.hint = this.threats = null;
      this.confirming = false;
    }
    else if (decision?.mine && !decision.top && undo) void this.undo();
    else this.lookAt(null, null);
  }

  /** A click that comes before the last choice has been answered waits for that, and then means what it meets. */
  click(click: Click): void {
    if (this.acting) {
      void this.acting.then(() => this.click(click));
      return;
    }
    this.whyNot = this.armed = null;
    const side = this.campOf(this.state.decision?.side ?? null);
    const meaning = meaningOf(click, this.offer, this.reach, (unit) => this.faces.get(unit)?.side === side, (unit) => canLeaveOut(this, unit));
    if (meaning.act !== "fan") this.fanned = null;
    switch (meaning.act) {
      case "leave":
        void leaveOut(this, meaning.unit);
        return;
      case "choose":
        if (this.arm(meaning.id)) return;
      // falls through
      case "go":
        if (click.unit && this.offer.byUnit.has(click.unit)) this.picked = click.unit;
        void this[meaning.act](meaning.id);
        return;
      case "end_then":
        this.after = meaning.then;
        void this.choose(meaning.end);
        return;
      case "fan":
        this.fanned = this.fanned === meaning.space ? null : meaning.space;
        if (this.fanned) this.focus = [this.fanned];
        this.lookAt(click.unit, click.space);
        return;
      case "look":
        this.lookAt(meaning.unit, meaning.space);
    }
  }

  /** The places on the map where something can be chosen. */
  readonly offeredPlaces: string[] = $derived.by(() => {
    if (!this.offer.mine) return [];
    const units = [...this.offer.byUnit.keys()].flatMap((unit) => this.pieces.get(unit)?.space ?? []);
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

  sitDown(): void {
    this.sitting = this.state.side;
  }

  /** Whether a counter can be taken up and dragged: it is on its way, or may be chosen next. */
  canDrag(unit: string): boolean {
    const option = this.offer.byUnit.get(unit);
    return this.offer.mine && (option ? !option.rolls && !this.offer.rivals.has(option) : this.offer.moving && !!this.about?.units.includes(unit));
  }

  /** Choose a unit and send it to where it was dragged. */
  async dragTo(unit: string, space: string): Promise<void> {
    const option = this.offer.byUnit.get(unit);
    if (option && !(await this.choose(option.id))) return;
    if (this.offer.moving) await this.go(space);
  }

  lookAt(unit: string | null, space: string | null): void {
    this.picked = unit;
    this.space = space;
    this.trace = null;
    this.askTrace();
  }

  /** The line of supply of the unit that is looked at. */
  private askTrace(): void {
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

  async askHint(): Promise<Hint | null> {
    if (this.pondering || !this.offer.mine || !this.state.hints) return null;
    this.pondering = true;
    this.hint = await this.question<Hint>("hint");
    this.pondering = false;
    const option = this.state.decision?.options.find(({ id }) => id === this.hint?.id);
    if (option) this.showOption(option);
    return this.hint;
  }

  showOption(option: Option): void {
    const spaces = option.units.flatMap((unit) => this.pieces.get(unit)?.space ?? []);
    this.focus = [...new Set([...option.spaces, ...spaces])];
    this.picked = option.units[0] ?? this.picked;
  }

  // ------------------------------------------------------------------ overlays

  /** The layers that are switched on and concern this reader; whoever moves sees what is barred to him. */
  readonly overlaysShown: Overlay[] = $derived.by(() => {
    const me = this.campOf(this.state.side);
    return this.look.overlays.filter(
      (overlay) => (settings.overlays.includes(groupOf(overlay)) || (this.reach && overlay.pattern === "barred")) && concerns(overlay, me),
    );
  });

  /** Replay: a state of the past, or null for now. */
  async showPast(n: number | null): Promise<void> {
    if (n === null || n >= this.state.n) {
      this.past = null;
      return;
    }
    this.past = await api.replay(this.id, this.token, n);
  }
}
