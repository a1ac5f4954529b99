/** The WebSocket of a match: questions get answers, states arrive by themselves, and a lost line is taken up again. */

import { words } from "./words";
import type { State } from "./protocol";

/** Where a match is told of, and what is sent along: a browser gives a token as a protocol that it would speak. */
export interface Line {
  address: string;
  protocols: string[];
}

export interface Listener {
  state(state: State): void;
  online(online: boolean): void;
}

export class Denied extends Error {
  constructor(
    message: string,
    readonly rule: string | null,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Denied): void;
}

type Message = { type: "state"; re: number | null } & State;
type Answer = { type: "answer"; re: number; answer: unknown };
type Complaint = { type: "error"; words: string; rule?: string; re: number | null };

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8000;

export class Live {
  private socket: WebSocket | null = null;
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();
  private pause = FIRST_PAUSE;
  private closed = false;

  constructor(
    private readonly line: Line,
    private readonly listener: Listener,
  ) {
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(this.line.address, this.line.protocols);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      this.listener.online(true);
    };
    socket.onmessage = (message: MessageEvent<string>) => this.hear(message.data);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.listener.online(false);
      this.rejectAll();
      if (this.closed) return;
      setTimeout(() => !this.closed && this.connect(), this.pause);
      this.pause = Math.min(this.pause * 1.8, LONGEST_PAUSE);
    };
  }

  /** Send a request; a choice is answered by the state that follows it, a question by its answer. */
  ask<T>(type: string, seen: State, fields: Record<string, unknown> = {}): Promise<T> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.reject(new Denied(words.offline, null));
    const re = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(re, { resolve: (answer) => resolve(answer as T), reject });
      socket.send(JSON.stringify({ type, re, n: seen.n, rev: seen.rev, ...fields }));
    });
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private hear(data: string): void {
    const message = JSON.parse(data) as Message | Answer | Complaint;
    if (message.type === "state") this.listener.state(message);
    if (message.re == null) return;
    const waiting = this.waiting.get(message.re);
    this.waiting.delete(message.re);
    if (message.type === "error") waiting?.reject(new Denied(message.words, message.rule ?? null));
    else waiting?.resolve(message.type === "answer" ? message.answer : null);
  }

  private rejectAll(): void {
    for (const waiting of this.waiting.values()) waiting.reject(new Denied(words.offline, null));
    this.waiting.clear();
  }
}
