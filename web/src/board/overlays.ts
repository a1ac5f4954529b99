/** Overlays of one group, one for each side, are switched together. */

import type { Overlay } from "../lib/protocol";

export interface Group {
  name: string;
  rule: string;
  pattern: string;
  members: string[];
}

export function groupOf({ group, name }: Overlay): string {
  return group || name;
}

export function groupsOf(overlays: readonly Overlay[]): Group[] {
  const groups = new Map<string, Group>();
  for (const overlay of overlays) {
    const name = groupOf(overlay);
    const group = groups.get(name) ?? { name, rule: overlay.rule, pattern: overlay.pattern, members: [] };
    group.members.push(overlay.id);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** Of one's enemy, the zones matter; of oneself, all the rest. Who has no side sees everything. */
export function concerns({ side, pattern }: Overlay, me: string | null): boolean {
  if (me === null || !side) return true;
  return pattern === "zones" ? side !== me : side === me;
}
