/** A match on its line to the server: the state, what is asked and done over it, and what was refused. */

import { inFull } from "./bare";
import { Denied, Live, type Line } from "./live";
import { Names } from "./names";
import type { Look, Rule, State } from "./protocol";
import { words } from "./words";

export abstract class Wire extends Names {
  state: State = $state.raw() as State;
  past: State | null = $state.raw(null);
  online = $state(false);
  complaint: string | null = $state(null);
  protected readonly live: Live;
  /** What was asked for last and is not done yet. */
  protected acting: Promise<boolean> | null = null;

  constructor(look: Look, rules: readonly Rule[], line: Line, state: State) {
    super(look, rules);
    this.state = inFull(state, this.spaces);
    this.live = new Live(line, {
      state: (next) => this.hear(inFull(next, this.spaces)),
      online: (online) => this.lineIs(online),
    });
  }

  protected abstract hear(next: State): void;

  private lineIs(online: boolean): void {
    this.online = online;
    if (online && this.complaint === words.offline) this.complaint = null;
  }

  /** What the page asks by itself: where it gets no answer, nothing is said. */
  protected question<T>(type: string, fields: Record<string, unknown> = {}): Promise<T | null> {
    return this.answered<T>(type, fields).catch(() => null);
  }

  /** What somebody asked for: where there is no answer, the complaint says why. */
  protected async request<T>(type: string, fields: Record<string, unknown> = {}): Promise<T | null> {
    this.complaint = null;
    return this.answered<T>(type, fields).catch((error) => this.complain(error));
  }

  /** An answer to what has changed meanwhile is none. */
  private async answered<T>(type: string, fields: Record<string, unknown>): Promise<T | null> {
    const { rev } = this.state;
    const answer = await this.live.ask<T | null>(type, this.state, fields);
    return rev === this.state.rev ? answer : null;
  }

  private complain(error: unknown): null {
    if (!(error instanceof Denied)) throw error;
    this.complaint = error.rule ? words.withRule(error.message, error.rule) : error.message;
    return null;
  }

  /** Whether it was done; if not, the complaint says why. */
  act(type: string, fields: Record<string, string> = {}): Promise<boolean> {
    const acting = this.attempt(type, fields).finally(() => {
      if (this.acting === acting) this.acting = null;
    });
    this.acting = acting;
    return acting;
  }

  private async attempt(type: string, fields: Record<string, string>): Promise<boolean> {
    this.complaint = null;
    if (this.past) return false;
    try {
      await this.live.ask<null>(type, this.state, fields);
      return true;
    } catch (error) {
      this.complain(error);
      return false;
    }
  }
}
