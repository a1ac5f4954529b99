/** Who stands on which side of an attack: those in it already, and those who may still be named. */

import type { Piece } from "./protocol";

/** What an attack is known by. */
export interface Fighting {
  /** Those whom the question is about. */
  involved: readonly Piece[];
  /** Those in the place that is attacked. */
  there: readonly Piece[];
  /** Those who can be chosen. */
  offered: readonly Piece[];
  sideOf: (piece: Piece) => string | undefined;
  /** Whose phase it is. */
  phaseSide: string | undefined;
}

export interface Camp {
  /** In it, and not to be chosen now. */
  sure: Piece[];
  /** To be chosen; of them, those who are not in it yet. */
  offered: Piece[];
  outside: ReadonlySet<Piece>;
}

/** Where enemies share a space, both are involved: then the side whose phase it is attacks. */
function attackingSide({ involved, sideOf, phaseSide }: Fighting): string | undefined {
  const mixed = new Set(involved.map(sideOf)).size > 1;
  return mixed || !involved[0] ? phaseSide : sideOf(involved[0]);
}

/** Attackers and defenders. What the attackers have laid on the place, such as the marks of their guns, does not defend it. */
export function campsOf(fighting: Fighting): [Camp, Camp] {
  const { involved, there, offered, sideOf } = fighting;
  const side = attackingSide(fighting);
  const attacks = (piece: Piece) => sideOf(piece) === side;
  const chosen = new Set(offered.map(({ unit }) => unit));
  const camp = (inIt: readonly Piece[], toChoose: Piece[]): Camp => {
    const units = new Set(inIt.map(({ unit }) => unit));
    return { sure: inIt.filter(({ unit }) => !chosen.has(unit)), offered: toChoose, outside: new Set(toChoose.filter(({ unit }) => !units.has(unit))) };
  };
  const enemies = side ? offered.filter((piece) => !attacks(piece)) : [];
  return [
    camp(involved.filter(attacks), offered.filter((piece) => !enemies.includes(piece))),
    camp(there.filter((piece) => !attacks(piece)), enemies),
  ];
}
