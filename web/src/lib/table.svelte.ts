/** One match as this browser sees it: the state from the server, and what the reader does. */

import { api } from "./api";
import { Following } from "./following.svelte";
import { Guide } from "./guide.svelte";
import { canLeaveOut, leaveOut } from "./leaving";
import { lengthOf, linesFrom } from "./log";
import { Looking } from "./looking.svelte";
import { givesUp, isEnd, meaningOf, narrate, type Click } from "./options";
import type { Board, Hint, InARow, Look, Option, Reach, Rule, State } from "./protocol";
import { settings } from "./settings.svelte";
import { chime, knock } from "./sounds";
import type { Story } from "./story.svelte";
import { undoneOf, type Undone } from "./undone";
import { verdictOf } from "./verdict";
import { placesOf } from "./walking";

const MOST_TRIED = 3; // plain options whose odds are asked for, until one has any
const MOST_ROLLS = 4;
/** So few places to choose from are shown when a phase begins; more are found by themselves. */
const FEW_PLACES = 6;

export class Table extends Looking {
  /** Who sits before this page, where several people share it. */
  private sitting: string | null = $state(null);

  private after: string | null = null;
  /** The choices that the last walk took together, so that undo takes them back together. */
  private walked: { from: number; to: number } | null = null;

  /** Whether what is asked now belongs to something that one began oneself, and can give up. */
  private begun = false;

  guide: Guide | null = $state.raw(null);
  private readonly following: Following;

  /** Whether the page must show nothing until the next person has sat down. */
  readonly veiled: boolean = $derived(this.state.curtain && this.state.side !== null && this.state.side !== this.sitting);

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
    void table.following.catchUp();
    return table;
  }

  close(): void {
    this.story?.close();
    this.live.close();
  }

  // ------------------------------------------------------------------ what the server says

  protected hear(next: State): void {
    const before = this.state;
    if (next.n > before.n) this.noteNews(before, next);
    const changed = next.rev !== before.rev;
    if (changed) this.forgetPointing(next.scene.step !== before.scene.step);
    this.state = next;
    this.begun = givesUp(next, before, this.begun);
    this.following.follow(before);
    if (next.decision?.mine && before.decision && !before.decision.mine) chime();
    if (!changed) return this.inquire();
    const then = this.after;
    this.after = null;
    const wanted = then ? this.offer.byUnit.get(then) : undefined;
    if (wanted) void this.choose(wanted.id);
    else this.explore(next.scene.step !== before.scene.step);
  }

  /** What happened since one last chose, while it is told. */
  get story(): Story | null {
    return this.following.story;
  }

  /** Tell it again, also after days away. */
  retell(): void {
    void this.following.retell();
  }

  endStory(): void {
    this.following.story = null;
    this.explore(true);
  }

  private noteNews(before: State, next: State): void {
    const from = lengthOf(before);
    const news = linesFrom(next, from);
    this.newsFrom = before.decision?.mine ? from : Math.min(this.newsFrom, from);
    const thrown = narrate(news).filter((line) => line.dice.length);
    // What others answer within one's own phase, such as where they retreat, comes of the roll before.
    this.verdict = verdictOf(this.isOwnPhase(before.scene.step) ? linesFrom(next, this.newsFrom) : news, this.look.results);
    if (thrown.length) {
      knock();
      this.rolled = thrown.slice(-MOST_ROLLS).map(({ words, dice }) => ({ words, dice: dice.map(({ value }) => value) }));
    }
    const fought = thrown.length ? news.flatMap((event) => event.spaces) : [];
    if (!this.offer.mine && fought.length) this.focus = fought.slice(-1);
  }

  /** A new phase begins with nobody in hand. */
  private forgetPointing(afresh: boolean): void {
    this.fanned = this.goal = this.reach = this.seen = this.whyNot = this.hint = this.trace = this.armed = this.complaint = this.threats = this.manner = null;
    this.confirming = this.lookedAt = false;
    this.plans = [];
    if (afresh || (this.picked && !this.pieces.has(this.picked))) this.picked = null;
    if (afresh) this.space = null;
  }

  /** Turn to a new question: take up what it is about, show where it belongs, and ask what belongs to it. */
  private explore(afresh = false): void {
    const { decision } = this.state;
    const about = decision?.about?.units ?? [];
    if (this.offer.moving && about[0] && !about.includes(this.picked ?? "")) this.picked = about[0];
    else if (decision?.mine && about.length === 1 && about[0]) this.picked = about[0];
    if (decision?.mine && (!decision.top || about.length)) this.focus = placesOf(decision, this.pieces);
    else if (afresh && this.offeredPlaces.length && this.offeredPlaces.length <= FEW_PLACES) this.focus = [...this.offeredPlaces];
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

  /** Do it; the end of a turn with things undone, or of a phase before all have acted, is asked about once. */
  take(option: Option): void {
    const passed = (option.role === "end_turn" && this.undone.length > 0) || (option.role === "end_phase" && this.offer.ready.size > 0);
    if (passed && settings.confirms && !this.confirming) this.confirming = true;
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

  /** Leave the game to the other side: it is over then, and can be looked back on. */
  async giveUp(): Promise<void> {
    await this.act("give_up");
  }

  async redo(): Promise<void> {
    if (this.state.redo) await this.act("redo");
  }

  /** Give up what is open or half done: one thing at a time. */
  cancel(): void {
    if (this.story) return this.takePrimary();
    if (this.whyNot || this.armed || this.fanned || this.hint || this.confirming || this.threats) {
      this.whyNot = this.armed = this.fanned = this.hint = this.threats = null;
      this.confirming = false;
    }
    else if (this.begun) void this.undo();
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

  async askHint(): Promise<Hint | null> {
    if (this.pondering || !this.offer.mine || !this.state.hints) return null;
    this.pondering = true;
    try {
      this.hint = await this.request<Hint>("hint");
    } finally {
      this.pondering = false;
    }
    const option = this.state.decision?.options.find(({ id }) => id === this.hint?.id);
    if (option) this.showOption(option);
    return this.hint;
  }

  /** Replay: a state of the past, or null for now. */
  async showPast(n: number | null): Promise<void> {
    if (n === null || n >= this.state.n) {
      this.past = null;
      return;
    }
    this.past = await api.replay(this.id, this.token, n);
  }
}
