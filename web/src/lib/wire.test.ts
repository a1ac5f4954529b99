import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameEvent, Look, State } from "./protocol";
import { FakeSocket, lastSocket as line, type Sent } from "./socket.fake";
import { Wire } from "./wire.svelte";

class Page extends Wire {
  protected hear(next: State): void {
    this.state = next;
  }
}

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({ words: String(from + i) }) as GameEvent);
const state = (more: Partial<State>) => ({ type: "state", rev: 1, n: 1, side: "Blue", decision: null, events_from: 0, skipped: 100, events: lines(100, 120), ...more }) as unknown as State;
/** Of a game that has nothing. */
const look = new Proxy({}, { get: () => [] as never[] }) as Look;
const settled = () => new Promise((done) => setTimeout(done));
const first = ({ log: { skipped, events } }: Page) => [skipped, Number(events[0]?.words), events.length];

let page: Page;

/** Answer the last request with the lines from a number up to where it asked. */
async function answerFrom(first: number): Promise<void> {
  const { re, before } = line().sent.at(-1) as Sent;
  line().hear({ type: "answer", re, answer: { first, events: lines(first, before as number) } });
  await settled();
}

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  page = new Page(look, [], { address: "ws://x", protocols: [] }, state({}));
});
afterEach(() => vi.unstubAllGlobals());

describe("earlier pages of the log", () => {
  it("are asked for one after the other, once each, until there is enough", async () => {
    line().open();
    const whole = page.wholeLog();
    const some = page.reachBack((log) => log.skipped <= 40);
    await settled();
    expect(line().sent.map(({ type, before }) => [type, before])).toEqual([["log", 100]]);
    await answerFrom(40);
    expect(await some).toBe(true);
    expect(first(page)).toEqual([40, 40, 80]);
    await answerFrom(0);
    expect(await whole).toBe(true);
    expect(first(page)).toEqual([0, 0, 120]);
    expect(line().sent).toHaveLength(2);
  });

  it("wait for the line, and for it again when it is lost", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const whole = page.wholeLog();
    line().open();
    await vi.advanceTimersByTimeAsync(0);
    const lost = line();
    lost.close();
    await vi.advanceTimersByTimeAsync(1000);
    expect(line()).not.toBe(lost);
    line().open();
    await vi.advanceTimersByTimeAsync(0);
    expect(line().sent.map(({ before }) => before)).toEqual([100]);
    void answerFrom(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(await whole).toBe(true);
    vi.useRealTimers();
  });

  it("fit below what has come meanwhile, and are dropped where the log has become another", async () => {
    line().open();
    const some = page.earlier();
    await settled();
    line().hear(state({ rev: 2, events_from: 120, skipped: 0, events: lines(120, 121) }));
    await answerFrom(90);
    expect(await some).toBe(true);
    expect(first(page)).toEqual([90, 90, 31]);
    expect(page.state.rev).toBe(2);
    const other = page.earlier();
    await settled();
    line().hear(state({ rev: 3, side: "Red", skipped: 90, events: lines(90, 130) }));
    await answerFrom(50);
    expect(await other).toBe(false);
    expect(first(page)).toEqual([90, 90, 40]);
  });

  it("are given up where they are refused", async () => {
    line().open();
    const whole = page.wholeLog();
    await settled();
    line().hear({ type: "error", re: 1, words: "no" });
    expect(await whole).toBe(false);
  });

  it("come by themselves where much was taken back", async () => {
    line().open();
    line().hear(state({ rev: 2, events_from: 101, skipped: 0, events: [] }));
    await settled();
    expect(line().sent.map(({ before }) => before)).toEqual([100]);
    await answerFrom(60);
    expect(first(page)).toEqual([60, 60, 41]);
  });
});
