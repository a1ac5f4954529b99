import { describe, expect, it } from "vitest";
import { commitmentOf, isFair, sharedSeed } from "./dice";
import { sha256 } from "./sha256";

async function theirs(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("what is published of the dice", () => {
  it("is the hash that everybody else computes, for every length of text", async () => {
    for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 200]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
      expect(sha256(bytes)).toBe(await theirs(bytes));
    }
  });

  it("is the hash of a fixed text and the part", async () => {
    const part = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
    const told = new Uint8Array([...new TextEncoder().encode("bulge seed "), ...part]);
    expect(commitmentOf("00112233445566778899aabbccddeeff")).toBe(await theirs(told));
  });
});

describe("dice of which each gave a part", () => {
  const parts = { server: "00".repeat(16), One: "11".repeat(16), Two: "22".repeat(16) };
  const published = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, commitmentOf(part)]));
  const seed = sharedSeed(parts);

  it("are fair if every part was published and all make the seed", () => {
    expect(sharedSeed({ server: parts.server, Blue: parts.One, Red: parts.Two })).toBe("c70c72f0b82b58a609ffde5c28cea22b");
    expect(isFair(parts, published, seed)).toBe(true);
  });

  it("are foul otherwise", () => {
    expect(isFair({ ...parts, Two: "23".repeat(16) }, published, seed)).toBe(false);
    expect(isFair(parts, published, "00".repeat(16))).toBe(false);
    expect(isFair({ server: parts.server, One: parts.One }, published, seed)).toBe(false);
  });
});
