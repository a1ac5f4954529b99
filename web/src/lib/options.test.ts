import { describe, expect, it } from "vitest";
import { Offer, actsOf, chance, foldFights, givesUp, inSentence, meaningOf, narrate, type Click } from "./options";
import type { Decision, GameEvent, Option, State } from "./protocol";
import { heading, shortCost, tidy, toneOf } from "./results";

const option = (id: string, more: Partial<Option> = {}): Option => ({ id, words: id, spaces: [], units: [], cost: null, sides: [], cards: [], role: "", rolls: false, has_preview: false, ...more });
const decision = (options: Option[], more: Partial<Decision> = {}): Decision => ({
  side: "Blue",
  prompt: "?",
  rule: "1.1",
  mine: true,
  kind: "unit",
  top: true,
  about: null,
  together: null,
  bare: [],
  options,
  ...more,
});
const click = (more: Partial<Click> = {}): Click => ({ space: "0101", unit: "A", stack: ["A"], fanned: false, ...more });
const event = (words: string, more: Partial<GameEvent> = {}): GameEvent => ({ at: 0, rule: "6.4", words, dice: [], sides: 0, spaces: [], units: [], cards: [], kind: "", by: null, why: "", conditions: [], depth: 0, step: "", ...more });
const all = () => true;

describe("what leads", () => {
  const leads = (options: Option[], more: Partial<Decision> = {}) => actsOf(new Offer(decision(options, more)), null, null, []);

  it("is never what lies beside the question, nor one of several numbers", () => {
    expect(leads([option("A", { units: ["A"] }), option("B", { units: ["B"] }), option("order", { role: "aside" })])).toMatchObject({ primary: null, others: [{ id: "order" }] });
    expect(leads(["0", "1", "2"].map((id) => option(id)), { kind: "number" })).toMatchObject({ primary: null, others: [{ id: "0" }, { id: "1" }, { id: "2" }] });
  });

  it("is the only choice, where there is but one", () => {
    expect(leads([option("A", { units: ["A"] })], { top: false }).primary?.id).toBe("A");
  });

  it("is who alone may advance, before the word that declines it; what ends a phase still leads", () => {
    expect(leads([option("A", { units: ["A"] }), option("stay")])).toMatchObject({ primary: { id: "A" }, others: [{ id: "stay" }] });
    expect(leads([option("A", { units: ["A"] }), option("B", { units: ["B"] }), option("stay")]).primary?.id).toBe("stay");
    expect(leads([option("0102", { spaces: ["0102"] }), option("done", { role: "end" })]).primary?.id).toBe("done");
  });
});

describe("who is ready", () => {
  it("is whoever can do something; who is idle can be chosen all the same", () => {
    const offer = new Offer(decision([option("A", { units: ["A"] }), option("B", { units: ["B"], role: "idle" }), option("done", { role: "end_phase" })]));
    expect([[...offer.ready], [...offer.byUnit.keys()]]).toEqual([["A"], ["A", "B"]]);
  });
});

describe("what a click means", () => {
  const units = new Offer(decision([option("A", { units: ["A"] }), option("B", { units: ["B"] }), option("done")]));

  it("chooses the only unit offered in a stack", () => {
    expect(meaningOf(click(), units, null, all)).toEqual({ act: "choose", id: "A" });
    expect(meaningOf(click({ stack: ["X", "B"], unit: "X" }), units, null, all)).toEqual({ act: "choose", id: "B" });
  });

  it("opens a stack in which several are offered, and then takes the one meant", () => {
    const stack = ["A", "B"];
    expect(meaningOf(click({ stack }), units, null, all)).toEqual({ act: "fan", space: "0101" });
    expect(meaningOf(click({ stack, unit: "B", fanned: true }), units, null, all)).toEqual({ act: "choose", id: "B" });
  });

  it("goes to a hex far off, and chooses one next to it", () => {
    const moving = new Offer(decision([option("0102", { spaces: ["0102"], cost: "1" }), option("stop", { role: "end" })], { top: false }));
    const reach = { costs: { "0102": "1", "0103": "2" }, paths: {}, modes: {}, notes: {}, words: "" };
    const at = (space: string) => click({ space, unit: null, stack: [] });
    expect(moving.moving).toBe(true);
    expect(meaningOf(at("0102"), moving, reach, all)).toEqual({ act: "choose", id: "0102" });
    expect(meaningOf(at("0103"), moving, reach, all)).toEqual({ act: "go", id: "0103" });
    expect(meaningOf(at("0109"), moving, reach, all)).toEqual({ act: "look", unit: null, space: "0109" });
    expect(meaningOf(click({ unit: "Z", stack: ["Z"] }), moving, reach, all)).toEqual({ act: "end_then", end: "stop", then: "Z" });
  });

  it("leaves out a unit that was named, and asks which where another could be named", () => {
    const named = (unit: string) => unit === "N";
    expect(meaningOf(click({ unit: "N", stack: ["N"] }), units, null, all, named)).toEqual({ act: "leave", unit: "N" });
    expect(meaningOf(click({ unit: "N", stack: ["N", "A"] }), units, null, all, named)).toEqual({ act: "fan", space: "0101" });
    expect(meaningOf(click({ unit: "N", stack: ["N", "A"], fanned: true }), units, null, all, named)).toEqual({ act: "leave", unit: "N" });
    expect(meaningOf(click({ unit: "A", stack: ["N", "A"], fanned: true }), units, null, all, named)).toEqual({ act: "choose", id: "A" });
  });

  it("takes a unit for the unit, not for its place, and a destination for the place", () => {
    const both = option("A", { units: ["A"], spaces: ["0101"] });
    const [unit, space] = ["unit", "space"].map((kind) => new Offer(decision([both], { kind })));
    expect([unit?.byUnit.size, unit?.bySpace.size]).toEqual([1, 0]);
    expect([space?.byUnit.size, space?.bySpace.size]).toEqual([0, 1]);
  });

  it("leaves it to a list where a click could mean two things", () => {
    const ways = ["road", "field"].map((way) => option(`0101 ${way}`, { spaces: ["0101"] }));
    const offer = new Offer(decision([...ways, option("0102", { spaces: ["0102"] })], { kind: "move" }));
    expect([...offer.rivals]).toEqual(ways);
    expect(meaningOf(click({ unit: null, stack: [] }), offer, null, all).act).toBe("look");
    expect(meaningOf(click({ space: "0102", unit: null, stack: [] }), offer, null, all)).toEqual({ act: "choose", id: "0102" });
  });

  it("only looks when another side decides", () => {
    const theirs = new Offer(decision([], { mine: false }));
    expect(meaningOf(click(), theirs, null, all)).toEqual({ act: "look", unit: "A", space: "0101" });
  });

  it("shows few plain options as buttons, many in the panel", () => {
    expect(units.buttons.map(({ id }) => id)).toEqual(["done"]);
    expect(new Offer(decision(["to the north", "to the south", "to the east", "to the west", "nowhere"].map((id) => option(id)))).buttons).toEqual([]);
    expect(new Offer(decision(["1", "2", "3", "4", "5"].map((id) => option(id)))).buttons.length).toBe(5);
  });
});

describe("what leads at the foot", () => {
  it("is never the way back: Enter must not give up what one is about to do", () => {
    const goals = new Offer(decision([option("0102", { spaces: ["0102"] }), option("cancel", { role: "back" })]));
    const { primary, others } = actsOf(goals, null, null, []);
    expect(primary).toBeNull();
    expect(others.map(({ id }) => id)).toEqual(["cancel"]);
  });
});

describe("the log", () => {
  it("puts a die into the sentence that tells its effect", () => {
    const lines = narrate([event("attack on 0203", { dice: [4], sides: 6 }), event("The attack gives DR."), event("Turn 2 begins.", { rule: "2.1", kind: "turn" })]);
    expect(lines.map(({ words }) => words)).toEqual(["The attack gives DR.", "Turn 2 begins."]);
    expect(lines[0]?.dice).toEqual([{ value: 4, sides: 6 }]);
    expect(lines[1]?.heading).toBe(true);
  });

  it("keeps dice that no sentence follows", () => {
    const lines = narrate([event("points", { dice: [1], sides: 6 }), event("shortages", { dice: [2], sides: 6 })]);
    expect(lines.map(({ dice }) => dice[0]?.value)).toEqual([1, 2]);
  });
});

describe("a battle in the log", () => {
  it("is one entry with what came of it", () => {
    const events = [
      event("attack on 0203", { dice: [4], sides: 6, at: 1 }),
      event("The attack gives DR.", { spaces: ["0203"], at: 1 }),
      event("R1 retreats.", { at: 1 }),
      event("Red closes in.", { at: 1, rule: "7.1", step: "next" }),
      event("B1 advances.", { at: 2 }),
      event("B3 moves.", { at: 3, rule: "4.1" }),
      event("Turn 2 begins.", { kind: "turn", at: 3 }),
      event("B2 moves.", { at: 4 }),
    ];
    const entries = foldFights(narrate(events));
    expect(entries.map(({ words, more }) => [words, more.length])).toEqual([["The attack gives DR.", 1], ["Red closes in.", 0], ["B1 advances.", 0], ["B3 moves.", 0], ["Turn 2 begins.", 0], ["B2 moves.", 0]]);
  });
});

describe("numbers as people write them", () => {
  it("reads fractions", () => expect(chance("1/6")).toBeCloseTo(1 / 6));
  it("shortens costs", () => expect(["3 2/5", "1/5", "4", "2½"].map(shortCost)).toEqual(["3.4", "0.2", "4", "2½"]));
  it("tidies sentences", () => expect(["attack on 0304, column >=3", "column -2..-1", "moves 0101 - 0102", "turn 5-6"].map(tidy)).toEqual(["attack on 0304, column ≥3", "column −2 to −1", "moves 0101 - 0102", "turn 5-6"]));
  it("writes columns", () => expect(["<=-3", "-2..-1", "1..2", ">=+12"].map(heading)).toEqual(["≤−3", "−2 −1", "1–2", "≥+12"]));
  it("gives results a colour, unknown ones too", () => expect(["X", "?"].map((code) => toneOf([{ id: "X", name: "", words: "", tone: "retreat" }], code))).toEqual(["var(--dr)", "var(--other)"]));
});

describe("Escape", () => {
  const state = (n: number, top: boolean, undo = true): State => ({ n, undo, decision: decision([], { top }) }) as unknown as State;

  it("gives up a move that was begun, however far it has gone", () => {
    expect(givesUp(state(1, false), state(0, true), false)).toBe(true);
    expect(givesUp(state(2, false), state(1, false), true)).toBe(true);
    expect(givesUp(state(2, true), state(1, false), true)).toBe(false);
  });

  it("takes back no answer to what somebody else began, such as who takes a hit", () => {
    expect(givesUp(state(1, false, false), state(0, true), false)).toBe(false);
    expect(givesUp(state(2, false), state(1, false), false)).toBe(false);
  });
});

describe("a phase within a sentence", () => {
  it("keeps names large", () => {
    expect(inSentence("Close assault")).toBe("close assault");
    expect(inSentence("Patton's Third Army")).toBe("Patton's Third Army");
  });
});
