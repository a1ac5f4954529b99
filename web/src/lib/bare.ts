/** Where a whole map is offered, its hexes come by name alone: what else there is to say of them stands in the look. */

import type { Decision, Option, SpaceLook, State } from "./protocol";

type Spaces = ReadonlyMap<string, SpaceLook>;

export function inFull<S extends State>(state: S, spaces: Spaces): S {
  const { decision } = state;
  return decision?.bare.length ? { ...state, decision: spelledOut(decision, spaces) } : state;
}

function spelledOut(decision: Decision, spaces: Spaces): Decision {
  const options = decision.bare.map((id) => optionOf(id, spaces.get(id)?.name));
  return { ...decision, bare: [], options: [...options, ...decision.options] };
}

function optionOf(id: string, name: string | undefined): Option {
  const words = name && name !== id ? `${id} ${name}` : id;
  return { id, words, spaces: [id], units: [], cost: null, sides: [], cards: [], role: "", rolls: false, has_preview: false };
}
