/** A guided first game: one thing to do after the other; what is to be done comes from the game. */

import { lengthOf, linesFrom } from "./log";
import type { Lesson, State } from "./protocol";
import { guidedTo, rememberGuide } from "./saved";
import { settings } from "./settings.svelte";
import type { Table } from "./table.svelte";

export class Guide {
  at = $state(0);
  readonly lessons: Lesson[];
  /** Where units stood and how much had happened when the step began. */
  private began: State;

  constructor(private readonly table: Table) {
    this.lessons = Guide.lessonsFor(table);
    this.at = Math.max(0, guidedTo(table.id));
    rememberGuide(table.id, this.at);
    this.began = table.state;
    if (this.places.length) table.focus = [...this.places];
  }

  static lessonsFor(table: Table): Lesson[] {
    const side = table.campOf(table.state.side);
    return table.look.lessons.filter((lesson) => lesson.side === side);
  }

  /** Whether this is a first game, from its first turn on. */
  static isWanted(table: Table): boolean {
    const begins = (table.state.n === 0 && table.state.scene.turn === 1) || guidedTo(table.id) >= 0;
    return Guide.lessonsFor(table).length > 0 && begins && !settings.guided.includes(table.look.game);
  }

  readonly lesson: Lesson | null = $derived.by(() => this.lessons[this.at] ?? null);

  /** Nothing is to be learned while others think. */
  get speaks(): boolean {
    return !!this.table.state.decision?.mine || this.table.state.result !== null;
  }

  /** What is marked on the map: within a move or a battle, only what it is about. */
  readonly places: string[] = $derived.by(() => {
    const { lesson, table } = this;
    const { decision } = table.state;
    const places = [...(lesson?.spaces ?? []), ...(lesson?.units ?? []).flatMap((unit) => table.pieces.get(unit)?.space ?? [])];
    if (table.story || !decision?.mine || (!decision.top && !table.offer.moving)) return [];
    // Who has gone to the marked hex stands in it.
    return [...new Set(places)];
  });

  /** What the others did is summed up: before one's own turn that is to be read. */
  get sums(): boolean {
    return !!this.table.story?.over;
  }

  /** Whether what was to be done has been done, or the game has gone on beyond it. */
  get met(): boolean {
    const { story } = this.table;
    if (!this.lesson || (story && !story.over)) return false;
    return this.isMet(this.lesson) || this.passed >= this.at;
  }

  /** Whoever goes ahead of the guide is followed: the last lesson from here on whose phase or turn has come. */
  private get passed(): number {
    return this.lessons.findLastIndex((lesson, i) => i >= this.at && /^(step|turn) /.test(lesson.until) && this.isMet(lesson));
  }

  private isMet({ until }: Lesson): boolean {
    const [what = "", name = ""] = until.split(" ");
    const { state } = this.table;
    switch (what) {
      case "picked":
        return (state.decision?.about?.units ?? []).includes(name) || this.table.pieces.get(name)?.space !== placeOf(this.began, name);
      case "went":
        return placeOf(state, name) !== placeOf(this.began, name);
      case "battle":
        return this.table.seen !== null;
      case "rolled":
        return linesFrom(state, lengthOf(this.began)).some(({ dice }) => dice.length > 0);
      case "step":
        return state.scene.step === name;
      case "turn":
        return state.scene.turn >= Number(name);
      default:
        return false;
    }
  }

  next(): void {
    this.at = Math.max(this.at, this.passed) + 1;
    rememberGuide(this.table.id, this.at);
    this.began = this.table.state;
    if (!this.lesson) this.end();
    else if (this.places.length) this.table.focus = [...this.places];
  }

  back(): void {
    this.at = Math.max(0, this.at - 1);
  }

  end(): void {
    settings.endGuide(this.table.look.game);
    this.table.guide = null;
  }
}

function placeOf({ scene }: State, unit: string): string | undefined {
  return scene.pieces.find((piece) => piece.unit === unit)?.space;
}
