import { expect, it } from "vitest";
import { campsOf, type Camp, type Fighting } from "./fight";
import type { Piece } from "./protocol";

const piece = (unit: string): Piece => ({ unit, space: "E1127", steps: 1, flags: [] });
const [tanks, infantry, gun, american, battery] = ["G-tanks", "G-infantry", "G-gun", "A-infantry", "A-battery"].map(piece) as [Piece, Piece, Piece, Piece, Piece];
const fighting = (more: Partial<Fighting>): Fighting => ({
  involved: [tanks],
  there: [american],
  offered: [],
  sideOf: ({ unit }) => (unit.startsWith("G") ? "German" : "Allied"),
  phaseSide: "German",
  ...more,
});
const units = ({ sure, offered, outside }: Camp) => [sure, offered, [...outside]].map((pieces) => pieces.map(({ unit }) => unit));
const camps = (more: Partial<Fighting>) => campsOf(fighting(more)).map(units);

it("has who may join the attack among the attackers", () =>
  expect(camps({ offered: [infantry, gun] })).toEqual([[["G-tanks"], ["G-infantry", "G-gun"], ["G-infantry", "G-gun"]], [["A-infantry"], [], []]]));

it("has the guns of the defence among the defenders", () =>
  expect(camps({ offered: [battery] })).toEqual([[["G-tanks"], [], []], [["A-infantry"], ["A-battery"], ["A-battery"]]]));

it("has nobody twice: a defender who can be chosen, say to lose a step, is in it already", () =>
  expect(camps({ offered: [american] })).toEqual([[["G-tanks"], [], []], [[], ["A-infantry"], []]]));

it("goes by the phase before anybody attacks, and where both share the place", () => {
  expect(camps({ involved: [], offered: [infantry] })).toEqual([[[], ["G-infantry"], ["G-infantry"]], [["A-infantry"], [], []]]);
  expect(camps({ involved: [american, tanks], there: [american, tanks], phaseSide: "Allied" })).toEqual([[["A-infantry"], [], []], [["G-tanks"], [], []]]);
});

it("does not count what attackers have laid on the place among the defenders", () =>
  expect(camps({ there: [american, gun] })[1]).toEqual([["A-infantry"], [], []]));
