/** Playback of what happened since one last chose: paused, stepped, taken back, skipped, summed up. */

import { beatsOf, legsOf, type Beat } from "./beats";
import { api } from "./api";
import { fullSteps } from "./faces";
import type { Dangers, Piece, State, Telling } from "./protocol";
import { impulseOf, saysWhose } from "./reasons";
import { calmMotion, settings } from "./settings.svelte";
import { leadOf, placesThatCount, summaryOf, tollOf, waiting, type Chapter } from "./summary";
import type { Table } from "./table.svelte";
import { words } from "./words";

const PER_HEX = 150;
const PER_DRAW = 360;
const LONGEST_MARCH = 1100;
const AFTER_MARCH = 1500;
const AFTER_FIGHT = 2600;

export class Story {
  beats: Beat[] = $state.raw([]);
  /** The beat that is shown; -1 before the first. */
  at = $state(-1);
  /** How far on its way the marching unit is. */
  leg = $state(0);
  playing = $state(true);
  /** All is told: the summary lies open. */
  over = $state(false);
  /** A line of the summary that is pointed at lights its places. */
  lit: string[] = $state.raw([]);
  /** The map goes where the story is, until a hand takes it. */
  follows = $state(true);
  /** What the others could do next. */
  dangers: Dangers | null = $state.raw(null);
  /** The numbers of the summary's lines, where they belong on the map. */
  discs: { number: number; space: string }[] = $state.raw([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private places: string[] = [];
  private told: Telling | null = $state.raw(null);
  private asked = 0;

  constructor(
    private readonly table: Table,
    readonly since: number,
    /** Somebody asked for it: then it is summed up even if nothing happened. */
    readonly byHand = false,
    /** Somebody comes back after a while: it is summed up first, and can then be played. */
    private readonly summedUp = false,
  ) {}

  readonly beat: Beat | null = $derived(this.beats[this.at] ?? null);

  /** What lies where in the picture that is shown. */
  readonly pieces: Piece[] | null = $derived.by(() => {
    const { beat, beats, at } = this;
    if (this.over || !this.told) return null;
    const before: ReadonlyMap<string, Piece> = beats[at - 1]?.after ?? new Map(this.told.pieces.map((piece) => [piece.unit, piece]));
    if (!beat) return [...before.values()];
    if (beat.kind === "clash") return [...before.values()];
    const mover = beat.unit ? beat.after.get(beat.unit) : undefined;
    if (!mover || this.leg >= beat.path.length - 1) return [...beat.after.values()];
    const onTheWay = new Map(before);
    for (const unit of [mover.unit, ...beat.along]) {
      const piece = beat.after.get(unit);
      if (piece) onTheWay.set(unit, { ...piece, space: beat.path[this.leg] ?? piece.space });
    }
    return [...onTheWay.values()];
  });

  get start(): Telling | null {
    return this.told;
  }

  /** Hear what has happened by now; more may come while it is told. */
  async hear(state: State): Promise<void> {
    const ask = ++this.asked;
    if (this.table.cards.size) void this.table.reachBack(({ events }) => events.some(saysWhose));
    const told = await api.told(this.table.id, this.table.token, this.since, this.table.look.overlays.filter(({ holds }) => holds).map(({ id }) => id)).catch(() => null);
    if (!told || ask !== this.asked) return;
    this.told = told;
    this.beats = beatsOf(told, (...march) => this.table.marchWords(...march), this.table.look.results);
    const away = this.summedUp && this.at < 0 && this.mine && this.beats.length > 0;
    if ((!this.beats.length && this.byHand) || away) this.finish();
    else if (!this.beats.length && state.decision?.mine) this.close();
    else if (this.at < 0 && this.beats.length) this.go(0);
    else if (this.playing && !this.timer && !this.over) this.wait();
  }

  private go(at: number): void {
    this.stop();
    this.at = Math.max(0, Math.min(at, this.beats.length - 1));
    this.leg = 0;
    const { beat } = this;
    if (!beat) return;
    const places = beat.kind === "march" ? [beat.path[0], beat.path.at(-1)] : beat.spaces.slice(0, 1);
    this.places = places.filter((place): place is string => !!place && this.table.shapes.has(place));
    if (this.follows) this.table.focus = this.places;
    if (legsOf(beat) > 0 && this.playing && !calmMotion()) this.walk();
    else {
      this.leg = Math.max(beat.path.length, legsOf(beat));
      this.wait();
    }
  }

  /** A hand has taken the map: it stays where it is put. */
  letGo(): void {
    if (!this.over) this.follows = false;
  }

  /** Go along again. */
  follow(): void {
    this.follows = true;
    this.table.focus = [...this.places];
  }

  private walk(): void {
    const { beat } = this;
    const legs = beat ? legsOf(beat) : 0;
    if (this.leg >= legs) return this.wait();
    const pace = (beat?.draws ? PER_DRAW : Math.min(PER_HEX, LONGEST_MARCH / Math.max(1, legs))) / settings.pace;
    this.timer = setTimeout(() => {
      this.leg += 1;
      this.walk();
    }, pace);
  }

  private wait(): void {
    this.stop();
    if (!this.playing) return;
    const pause = (this.beat?.kind === "march" ? AFTER_MARCH : AFTER_FIGHT) / settings.pace;
    this.timer = setTimeout(() => this.on(), pause);
  }

  private on(): void {
    this.timer = undefined;
    if (this.at + 1 < this.beats.length) this.go(this.at + 1);
    else if (this.mine && this.brief && !this.byHand) this.close();
    else if (this.mine) this.finish();
  }

  /** Whether the one who watches has to choose now, so that nothing more will come by itself. */
  private get mine(): boolean {
    return !!this.table.state.decision?.mine || this.table.state.result !== null;
  }

  /** Only an answer within one's own phase, a question in the middle of theirs, or rolls beside the map: there is nothing to sum up. */
  private get brief(): boolean {
    const { table } = this;
    const me = table.campOf(table.state.side);
    if (this.interrupted || this.beats.every(({ kind }) => kind === "news")) return true;
    if (this.beats.some(({ cards }) => cards.some((card) => table.cards.get(card)?.side !== me))) return false;
    return this.beats.every(({ step }) => table.isOwnPhase(step));
  }

  /** Their impulse is still under way: a question waits in the middle of it. */
  private get interrupted(): boolean {
    const { state, log, cards } = this.table;
    const impulse = impulseOf(log.events, cards);
    return impulse !== null && impulse !== this.table.campOf(state.side);
  }

  /** Whether all of the beat has been shown, so that what came of it may be told. */
  get shownWhole(): boolean {
    return !this.beat?.draws || this.leg >= legsOf(this.beat);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  toggle(): void {
    this.playing = !this.playing;
    if (!this.playing) this.stop();
    else if (this.over) this.again();
    else this.on();
  }

  step(by: number): void {
    this.playing = false;
    if (by > 0 && this.at + 1 >= this.beats.length && this.mine) this.finish();
    else this.go(this.at + by);
  }

  show(at: number): void {
    this.over = false;
    this.playing = false;
    this.go(at);
  }

  again(): void {
    this.over = false;
    this.playing = true;
    this.go(0);
  }

  /** To the summary, or to the end of what is known while more is to come. */
  finish(): void {
    this.stop();
    if (!this.mine) {
      this.playing = true;
      this.go(this.beats.length - 1);
      return;
    }
    const answered = this.interrupted || (this.brief && this.beats.some(({ draws }) => draws));
    if (answered && !this.byHand) return this.close();
    this.over = true;
    this.lit = [];
    if (!this.dangers) void this.lookAhead();
  }

  private async lookAhead(): Promise<void> {
    this.dangers = await this.table.askDangers(await this.table.ownPlaces(placesThatCount(this.table)));
  }

  /** What leads: play it, sum it up, or go back to the table. */
  goOn(): void {
    if (this.unseen) this.again();
    else if (this.over) this.close();
    else this.finish();
  }

  /** Whether it has still to be played for somebody who was away. */
  get unseen(): boolean {
    return this.summedUp && this.at < 0 && this.beats.length > 0;
  }

  close(): void {
    this.stop();
    this.table.endStory();
  }

  /** What they could do next is told when their turn is over. */
  private get ahead(): Dangers | null {
    return this.table.amidTheirs ? null : this.dangers;
  }

  /** What matters of it, in lines that light their places. */
  readonly summary: Chapter[] = $derived.by(() => summaryOf(this.table, this.beats, this.told, this.ahead));

  /** The sentence before all others. */
  readonly lead: string = $derived.by(() => leadOf(this.table, this.beats, this.told, this.ahead));

  readonly tallies: { label: string; value: string }[] = $derived.by(() => {
    const { table, told } = this;
    const stepped = table.look.faces.some((face) => fullSteps(face) > 1);
    const waits = waiting(table);
    const before = (told?.pieces ?? []).filter(({ unit }) => !waits.has(unit)).map((piece) => ({ own: table.isMine(piece.unit), was: piece.steps, now: table.pieces.get(piece.unit)?.steps ?? 0 }));
    const lost = (whose: boolean) => before.filter(({ own }) => own === whose).reduce((sum, { was, now }) => sum + Math.max(0, stepped ? was - now : Number(!now)), 0);
    const scores = table.state.scene.scores.flatMap(({ label, value }) => {
      const old = told?.scores.find((score) => score.label === label)?.value;
      return old === undefined || old === value ? [] : [{ label, value: `${old} → ${value}` }];
    });
    const { attacks, moved } = tollOf(table, this.beats, told, null, "");
    return [
      { label: words.tallyFights(attacks), value: String(attacks) },
      { label: words.tallyMoves(moved), value: String(moved) },
      { label: words.tallyLost(stepped), value: String(lost(true)) },
      { label: words.tallyTheirs(stepped), value: String(lost(false)) },
      ...scores,
    ];
  });
}
