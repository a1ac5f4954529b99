/** Where a question belongs: the unit on its way, the battle, the few things to choose from. */

import type { Decision, Piece, State } from "./protocol";

const FEW_PLACES = 6;

/** A unit on its way is shown where the question says that it is, though a game may put it there only when it stops. */
export function onItsWay(state: State): State {
  const { decision, scene } = state;
  const [unit, ...others] = decision?.about?.units ?? [];
  const [space] = decision?.about?.spaces ?? [];
  const moving = decision?.options.some(({ cost }) => cost !== null);
  if (!unit || others.length || !space || !moving || !scene.pieces.some((piece) => piece.unit === unit && piece.space !== space)) return state;
  return { ...state, scene: { ...scene, pieces: scene.pieces.map((piece) => (piece.unit === unit ? { ...piece, space } : piece)) } };
}

/** Where a question within a move or a battle belongs: its subject, or the few things to choose from. */
export function placesOf(decision: Decision, pieces: ReadonlyMap<string, Piece>): string[] {
  const [subject] = decision.about?.spaces ?? [];
  if (subject) return [subject];
  const places = new Set(decision.options.flatMap(({ spaces, units }) => [...spaces, ...units.flatMap((unit) => pieces.get(unit)?.space ?? [])]));
  return places.size <= FEW_PLACES ? [...places] : [];
}
