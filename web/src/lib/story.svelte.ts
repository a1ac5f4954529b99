/** Playback of what happened since one last chose: paused, stepped, taken back, skipped, summed up. */

import { beatsOf, type Beat } from "./beats";
import { api } from "./api";
import type { Piece, State, Telling } from "./protocol";
import { calmMotion, settings } from "./settings.svelte";
import type { Table } from "./table.svelte";
import { words } from "./words";

const PER_HEX = 150;
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
  private timer: ReturnType<typeof setTimeout> | undefined;
  private told: Telling | null = null;
  private asked = 0;

  constructor(
    private readonly table: Table,
    readonly since: number,
    /** Somebody asked for it: then it is summed up even if nothing happened. */
    private readonly byHand = false,
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
    return [...new Map(before).set(mover.unit, { ...mover, space: beat.path[this.leg] ?? mover.space }).values()];
  });

  get start(): Telling | null {
    return this.told;
  }

  /** Hear what has happened by now; more may come while it is told. */
  async hear(state: State): Promise<void> {
    const ask = ++this.asked;
    const told = await api.told(this.table.id, this.table.token, this.since).catch(() => null);
    if (!told || ask !== this.asked) return;
    this.told = told;
    this.beats = beatsOf(told, (unit, path) => this.table.marchWords(unit, path));
    if (!this.beats.length && this.byHand) this.over = true;
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
    this.table.focus = places.filter((place): place is string => !!place && this.table.shapes.has(place));
    if (beat.kind === "march" && this.playing && !calmMotion()) this.walk();
    else {
      this.leg = beat.path.length;
      this.wait();
    }
  }

  private walk(): void {
    const { beat } = this;
    const legs = (beat?.path.length ?? 1) - 1;
    if (this.leg >= legs) return this.wait();
    const pace = Math.min(PER_HEX, LONGEST_MARCH / Math.max(1, legs)) / settings.pace;
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

  /** Only an answer within one's own phase: there is nothing to sum up. */
  private get brief(): boolean {
    const me = this.table.campOf(this.table.state.side);
    return this.beats.every(({ step }) => this.table.look.phases.find((phase) => phase.step === step)?.side === me);
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
    this.over = true;
    this.lit = [];
  }

  close(): void {
    this.stop();
    this.table.endStory();
  }

  /** What matters of it, in lines that light their places. */
  readonly summary: { title: string; lines: { words: string; more: string; dice: number[]; spaces: string[] }[] }[] = $derived.by(() => {
    const { table, beats } = this;
    const fights = beats.filter(({ kind, spaces }) => kind === "clash" && spaces.length);
    const marches = beats.filter((beat) => beat.kind === "march" && this.matters(beat));
    const named = marches.filter(({ path }) => table.spaces.get(path.at(-1) ?? "")?.name);
    const far = marches.filter((beat) => !named.includes(beat));
    const march = (beat: Beat) => ({ words: beat.words, more: words.hexes(beat.path.length - 1), dice: [], spaces: beat.path });
    const old = new Map((this.told?.pieces ?? []).map((piece) => [piece.unit, new Set(piece.flags)]));
    const worse = table.state.scene.pieces.filter(
      ({ unit, flags }) => table.isMine(unit) && flags.some((flag) => table.flags.get(flag)?.effect === "bad" && !old.get(unit)?.has(flag)),
    );
    const gone = [...old.keys()].filter((unit) => !table.pieces.has(unit));
    const groups = [
      { title: words.toldFights, lines: fights.map((beat) => ({ words: table.plainly(beat.words), more: beat.more.map((said) => table.plainly(said)).join(" "), dice: beat.dice, spaces: beat.spaces })) },
      { title: words.toldPlaces, lines: named.map(march) },
      { title: words.toldMoves, lines: far.map(march) },
      { title: words.toldLost, lines: gone.map((unit) => ({ words: table.unitName(unit), more: "", dice: [], spaces: [] })) },
      { title: words.toldWorse, lines: worse.map(({ unit, flags, space }) => ({ words: table.unitName(unit), more: flags.filter((flag) => table.flags.get(flag)?.effect === "bad").map((flag) => table.flagWords(flag)).join(", "), dice: [], spaces: [space] })) },
    ];
    return groups.filter(({ lines }) => lines.length);
  });

  readonly tallies: { label: string; value: string }[] = $derived.by(() => {
    const { table, beats } = this;
    const gone = (this.told?.pieces ?? []).filter(({ unit }) => !table.pieces.has(unit));
    const scores = table.state.scene.scores.flatMap(({ label, value }) => {
      const old = this.told?.scores.find((score) => score.label === label)?.value;
      return old === undefined || old === value ? [] : [{ label, value: `${old} → ${value}` }];
    });
    return [
      { label: words.tallyFights, value: String(beats.filter(({ kind }) => kind === "clash").length) },
      { label: words.tallyMoves, value: String(beats.filter(({ kind }) => kind === "march").length) },
      { label: words.tallyLost, value: String(gone.filter(({ unit }) => table.isMine(unit)).length) },
      { label: words.tallyTheirs, value: String(gone.filter(({ unit }) => !table.isMine(unit)).length) },
      ...scores,
    ];
  });

  /** Far, next to an own unit, or into a place that has a name. */
  private matters({ path, unit }: Beat): boolean {
    const end = path.at(-1) ?? "";
    const near = this.table.shapes.neighbours(end).some((space) => (this.table.stacks.get(space) ?? []).some((piece) => this.table.isMine(piece.unit)));
    return !!unit && !this.table.isMine(unit) && (path.length > 5 || near || !!this.table.spaces.get(end)?.name);
  }
}
