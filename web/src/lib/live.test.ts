import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Live } from "./live";
import type { State } from "./protocol";
import { FakeSocket, lastSocket as last } from "./socket.fake";

const seen = { n: 4, rev: 7 } as State;
const listener = { state: vi.fn(), online: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

describe("the line to the server", () => {
  it("matches answers, states and refusals to their requests", async () => {
    const live = new Live({ address: "ws://x", protocols: ["bulge", "token.secret"] }, listener);
    expect([last().address, last().protocols]).toEqual(["ws://x", ["bulge", "token.secret"]]);
    last().open();
    const question = live.ask<{ rule: string }>("why", seen, { about: "1412" });
    const choice = live.ask<null>("choose", seen, { id: "x" });
    const refused = live.ask<null>("choose", seen, { id: "y" });
    expect(last().sent[0]).toEqual({ type: "why", re: 1, n: 4, rev: 7, about: "1412" });
    last().hear({ type: "state", re: 2, n: 5 });
    last().hear({ type: "answer", re: 1, answer: { rule: "9.3" } });
    last().hear({ type: "error", re: 3, words: "no", rule: "6.5" });
    expect(await question).toEqual({ rule: "9.3" });
    expect(await choice).toBeNull();
    await expect(refused).rejects.toMatchObject({ message: "no", rule: "6.5" });
    expect(listener.state).toHaveBeenCalledTimes(1);
  });

  it("is taken up again when lost, and says so", async () => {
    const live = new Live({ address: "ws://x", protocols: ["bulge", "token.secret"] }, listener);
    last().open();
    const lost = live.ask("hint", seen);
    last().close();
    await expect(lost).rejects.toThrow();
    await expect(live.ask("hint", seen)).rejects.toThrow();
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(2);
    last().open();
    expect(listener.online.mock.calls.map(([online]) => online as boolean)).toEqual([true, false, true]);
    live.close();
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.all).toHaveLength(2);
  });
});
