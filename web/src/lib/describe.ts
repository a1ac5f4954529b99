/** Places and units in words, for screen readers and the text board. */

import { fullSteps, valueOf } from "./faces";
import type { Piece } from "./protocol";
import type { Table } from "./table.svelte";
import { words } from "./words";

export function describePiece(table: Table, piece: Piece): string {
  const face = table.faces.get(piece.unit);
  if (!face) return piece.unit;
  const value = valueOf(face, piece.steps);
  const steps = piece.steps < fullSteps(face) ? [words.steps(piece.steps, fullSteps(face))] : [];
  const flags = piece.flags.map((flag) => table.flagWords(flag));
  return [face.name, ...(value ? [words.said.strength(value)] : []), ...steps, ...flags].join(", ");
}

export function describeSpace(table: Table, id: string): string {
  const space = table.spaces.get(id);
  const who = (table.stacks.get(id) ?? []).map((piece) => describePiece(table, piece));
  const option = table.offer.bySpace.get(id);
  const cost = table.reach?.costs[id] ?? option?.cost;
  const parts = [table.spaceName(id), ...(space?.words ? [space.words] : []), ...table.markersAt(id), words.said.holds(who)];
  if (cost != null) parts.push(words.points(String(cost)));
  else if (option) parts.push(option.words);
  return parts.join(". ");
}
