import { describe, expect, it } from "vitest";
import type { GameEvent } from "./protocol";
import { verdictOf } from "./verdict";

const event = (words: string, more: Partial<GameEvent> = {}): GameEvent => ({ at: 1, by: null, rule: "1.0", words, dice: [], sides: 0, spaces: [], units: [], cards: [], kind: "", why: "", conditions: [], depth: 0, step: "fire", ...more });

describe("what dice have just decided", () => {
  const retreat = event("A retreats to 0102.", { dice: [1], sides: 6, spaces: ["0101", "0102"] });

  it("stands where it was fought, with what came of it", () => {
    expect(verdictOf([retreat, event("B advances.", { rule: "2.0" })], [])).toEqual({ words: "A retreats to 0102.", more: "B advances.", dice: [1], space: "0101" });
  });

  it("is gone when the rules have gone on to other dice in another phase", () => {
    expect(verdictOf([retreat, event("Guns fire.", { rule: "3.0", dice: [2, 3], sides: 6, step: "assault" })], [])).toBeNull();
  });
});
