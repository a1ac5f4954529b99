/** A WebSocket for tests: it opens, hears and closes when it is told to, and keeps what it was sent. */

export interface Sent {
  type: string;
  re: number;
  [field: string]: unknown;
}

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Sent[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;

  constructor(
    readonly address: string,
    readonly protocols: string[],
  ) {
    FakeSocket.all.push(this);
  }
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

/** The one that was opened last. */
export const lastSocket = () => FakeSocket.all.at(-1) as FakeSocket;
