import { describe, expect, it } from "vitest";
import { fits, ledger, verdict } from "./luck";
import type { GameEvent } from "./protocol";

const roll = (dice: number[], by: string | null): GameEvent => ({ at: 0, rule: "", words: "", dice, sides: 6, spaces: [], units: [], cards: [], kind: "", by, why: "", conditions: [], depth: 0, step: "" });

describe("the luck ledger", () => {
  it("counts every die, for all and by side", () => {
    const accounts = ledger([roll([6], "Blue"), roll([2, 1], "Red"), roll([], null)], (side) => side);
    expect(accounts.map(({ who, rolls, mean }) => [who, rolls, mean])).toEqual([["All dice", 3, 3], ["Blue", 1, 6], ["Red", 2, 1.5]]);
    expect(accounts[0]?.faces).toEqual([1, 1, 0, 0, 0, 1]);
  });

  it("calls the usual usual", () => expect([0, 1.5, 2.5, -1.5, -2.5].map(verdict)).toEqual(["usual", "high", "very high", "low", "very low"]));
});

describe("verified dice", () => {
  const seed = "00112233445566778899aabbccddeeff";

  it("fit what was published", async () => {
    const bytes = new TextEncoder().encode("bulge seed ");
    const key = Uint8Array.from({ length: 16 }, (_, i) => i * 17);
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...bytes, ...key]));
    const commitment = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    expect(fits(seed, commitment)).toBe(true);
    expect(fits(seed.replace("0", "1"), commitment)).toBe(false);
  });
});
