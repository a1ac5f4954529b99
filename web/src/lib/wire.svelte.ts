/** A match on its line to the server: the state, what is asked and done over it, and what was refused. */

import { inFull } from "./bare";
import { Denied, Live, type Line } from "./live";
import { joined, withEarlier, type Log } from "./log";
import { Names } from "./names";
import type { Look, LogPage, Rule, State } from "./protocol";
import { words } from "./words";

/** With fewer lines than this, after much was taken back, earlier ones are asked for at once. */
const FEW_LINES = 12;

export abstract class Wire extends Names {
  state: State = $state.raw() as State;
  /** What the state tells of it, and the earlier pages that were asked for: these change nothing else. */
  log: Log = $state.raw({ events: [], skipped: 0 });
  past: State | null = $state.raw(null);
  online = $state(false);
  complaint: string | null = $state(null);
  protected readonly live: Live;
  /** What was asked for last and is not done yet. */
  protected acting: Promise<boolean> | null = null;
  /** The page of the log that is under way. */
  private paging: Promise<boolean> | null = null;
  private readonly offline: (() => void)[] = [];

  constructor(look: Look, rules: readonly Rule[], line: Line, state: State) {
    super(look, rules);
    this.state = inFull(state, this.spaces);
    this.log = state;
    this.live = new Live(line, {
      state: (next) => this.told(inFull(next, this.spaces)),
      online: (online) => this.lineIs(online),
    });
  }

  protected abstract hear(next: State): void;

  private told(next: State): void {
    this.log = joined(this.read, next);
    this.hear({ ...next, ...this.log, events_from: 0 });
    if (this.log.events.length < FEW_LINES) void this.earlier();
  }

  private lineIs(online: boolean): void {
    this.online = online;
    if (online) for (const goOn of this.offline.splice(0)) goOn();
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

  // ------------------------------------------------------------------ the log

  /** The state with all of the log that is there. */
  get read(): State {
    return { ...this.state, ...this.log };
  }

  /** One more page, if anything is missing. */
  earlier(): Promise<boolean> {
    const { skipped } = this.log;
    return this.reachBack((log) => log.skipped < skipped);
  }

  /** Ask for earlier pages until there is enough, or all; whether that came about. */
  async reachBack(enough: (read: State) => boolean): Promise<boolean> {
    while (this.log.skipped && !enough(this.read)) {
      await this.whenOnline();
      const { skipped } = this.log;
      this.paging ??= this.page().finally(() => (this.paging = null));
      if (!(await this.paging) && this.online && skipped === this.log.skipped) return false;
    }
    return true;
  }

  wholeLog(): Promise<boolean> {
    return this.reachBack(() => false);
  }

  /** What came before the log that is there, if it is still the same log when it comes. */
  private async page(): Promise<boolean> {
    const { skipped, side } = this.read;
    const page = await this.live.ask<LogPage>("log", this.state, { before: skipped }).catch(() => null);
    if (!page || skipped !== this.log.skipped || side !== this.state.side) return false;
    this.log = withEarlier(this.log, page);
    return true;
  }

  private whenOnline(): Promise<void> {
    return this.online ? Promise.resolve() : new Promise((goOn) => this.offline.push(goOn));
  }

  // ------------------------------------------------------------------ acting

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
