/** Overlays of the same kind for each side (`zones_german`, `zones_allied`) are switched together. */

import type { Look, SideLook } from "../lib/protocol";
import { words } from "../lib/words";

export interface Group {
  id: string;
  name: string;
  rule: string;
  members: string[];
}

export function kindOf(overlay: string): string {
  return overlay.split("_")[0] ?? overlay;
}

export function groupsOf(overlays: Look["overlays"]): Group[] {
  const groups = new Map<string, Group>();
  for (const { id, name, rule } of overlays) {
    const kind = kindOf(id);
    const group = groups.get(kind) ?? { id: kind, name: words.overlayKinds[kind] ?? name, rule, members: [] };
    group.members.push(id);
    groups.set(kind, group);
  }
  return [...groups.values()];
}

/** Of one's enemy, the zones matter; of oneself, all the rest. Who has no side sees everything. */
export function concerns(overlay: string, sides: readonly SideLook[], me: string | null): boolean {
  const owner = sides.find(({ id }) => overlay.endsWith(`_${id.toLowerCase()}`))?.id;
  if (me === null || owner === undefined || kindOf(overlay) === "control") return true;
  return kindOf(overlay) === "zones" ? owner !== me : owner === me;
}
