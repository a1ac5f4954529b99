/** Notes when others have acted, and has it told: what one does oneself one has seen. */

import { lengthOf, linesFrom } from "./log";
import type { State } from "./protocol";
import { isSeen } from "./reasons";
import { lastOwnChoice, rememberOwnChoice, rememberTold, toldFrom } from "./saved";
import { settings } from "./settings.svelte";
import { movedByRules, sinceOwnTurn, unseenFrom } from "./since";
import { Story } from "./story.svelte";
import type { Table } from "./table.svelte";

export class Following {
  story: Story | null = $state.raw(null);
  /** The number of choices when one last had chosen: from there on, things happen that one has not seen. */
  private leftAt: number;
  /**
   * From where on what others did was told last, or would have been; kept, for those who come back after days. Null where
   * the log must be read farther back to find it.
   */
  private from: number | null;

  constructor(private readonly table: Table) {
    this.leftAt = lastOwnChoice(table.id, table.state) ?? table.state.n;
    this.from = toldFrom(table.id, table.state) ?? sinceOwnTurn(table.state);
  }

  private tellFrom(n: number): void {
    this.from = n;
    rememberTold(this.table.id, this.table.state, n);
  }

  /** The match has gone on from here. */
  follow(before: State): void {
    const { id, state } = this.table;
    if (state.n <= before.n) {
      this.leftAt = Math.min(this.leftAt, state.n);
      return;
    }
    const mine = before.decision?.mine ?? false;
    if (mine && !this.story) {
      this.leftAt = before.n;
      rememberOwnChoice(id, state, before.n);
    }
    if (!this.story && ((!mine && !this.answered(before)) || this.enemiesMoved(before) > 1 || this.wasSeen(before))) {
      const from = mine ? before.n : this.leftAt + 1;
      this.tellFrom(from);
      if (settings.pace > 0) this.story = new Story(this.table, from);
    }
    void this.story?.hear(state);
  }

  /** What others choose within one's own phase, such as where to retreat, belongs to what one has just done. */
  private answered({ scene }: State): boolean {
    return this.table.isOwnPhase(scene.step) && this.table.isOwnPhase(this.table.state.scene.step);
  }

  /** By the rules themselves, after a choice of one's own. */
  private enemiesMoved({ scene }: State): number {
    const { table } = this;
    return movedByRules(scene, table.state.scene, (unit) => table.isMine(unit), table.isOwnPhase(scene.step));
  }

  private wasSeen(before: State): boolean {
    const { state, cards } = this.table;
    return isSeen(linesFrom(state, lengthOf(before)), cards, this.table.campOf(state.side));
  }

  /** On opening: what others did since one last chose, where it now waits for oneself. */
  async catchUp(): Promise<void> {
    const { table } = this;
    const leftAt = lastOwnChoice(table.id, table.state);
    await table.reachBack((state) => unseenFrom(state, leftAt) !== undefined);
    const from = unseenFrom(table.read, leftAt) ?? null;
    if (from === null || settings.pace <= 0 || this.story) return;
    this.tellFrom(from);
    this.story = new Story(table, from, false, true);
    void this.story.hear(table.state);
  }

  async retell(): Promise<void> {
    const { table } = this;
    await table.reachBack((state) => (this.from ??= sinceOwnTurn(state)) !== null);
    this.story?.close();
    this.story = new Story(table, Math.min(this.from ?? table.state.n, table.state.n), true);
    void this.story.hear(this.table.state);
  }
}
