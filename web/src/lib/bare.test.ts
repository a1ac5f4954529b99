import { describe, expect, it } from "vitest";
import { inFull } from "./bare";
import type { SpaceLook, State } from "./protocol";

const space = (id: string, name: string): [string, SpaceLook] => [id, { id, name, x: 0, y: 0, words: "", kind: "hex", width: 0, height: 0 }];
const spaces = new Map([space("E0101", ""), space("E0142", "Somewhere"), space("a box", "a box")]);
const state = (bare: string[]): State => ({ decision: { bare, options: [{ id: "done" }] } }) as unknown as State;

describe("options that come by name alone", () => {
  it("are put into the look's words, ahead of the others", () => {
    const options = inFull(state(["E0101", "E0142", "a box"]), spaces).decision?.options ?? [];
    expect(options.map(({ id }) => id)).toEqual(["E0101", "E0142", "a box", "done"]);
    expect(options.map(({ words }) => words).slice(0, 3)).toEqual(["E0101", "E0142 Somewhere", "a box"]);
    expect(options[1]?.spaces).toEqual(["E0142"]);
  });

  it("are seldom, and then the state stays as it came", () => {
    const plain = state([]);
    expect(inFull(plain, spaces)).toBe(plain);
  });
});
