import { expect, it } from "vitest";
import { daysOf, dueWords } from "./calendar";
import type { Face, Scene, TurnLook } from "./protocol";

const turns = ["16 AM", "16 PM", "17 AM", "17 PM"].map((label) => ({ label, words: "", notes: [] }) satisfies TurnLook);
const face = (id: string, name: string, side: string) => [id, { id, name, side } as Face] as const;
const faces = new Map([face("101", "101st Airborne", "Allied"), face("FBB", "Führer Begleit", "German"), face("82", "82nd Airborne", "Allied")]);
const scene = (more: Partial<Scene>) => ({ first_turn: 1, last_turn: 0, waiting: [{ box: "turn 3", units: ["101", "FBB", "82"] }], ...more }) as Scene;
const labels = (more: Partial<Scene>) => daysOf(turns, scene(more), faces).map(({ turn }) => turn.label);

it("is the whole calendar where the scenario says nothing else", () => expect(labels({})).toEqual(["16 AM", "16 PM", "17 AM", "17 PM"]));

it("begins and ends with the scenario", () => expect(labels({ first_turn: 2, last_turn: 3 })).toEqual(["16 PM", "17 AM"]));

it("keeps the numbers of turns where a scenario begins late", () => expect(daysOf(turns, scene({ first_turn: 3 }), faces)[0]?.number).toBe(3));

it("has who is due from the match, and says so aloud", () => {
  const [, , third, fourth] = daysOf(turns, scene({}), faces);
  expect(dueWords(third!.due, (side) => side)).toEqual(["Allied units due: 101st Airborne, 82nd Airborne", "German units due: Führer Begleit"]);
  expect(dueWords(fourth!.due, (side) => side)).toEqual([]);
});
