/** Leaving a unit out of an attack for which it was named. */

import type { Table } from "./table.svelte";

/** So many choices are taken back at most. */
const MOST_TAKEN_BACK = 20;

/** Whether a unit was named for what is being made ready, and can still be left out of it. */
export function canLeaveOut(table: Table, unit: string): boolean {
  const { decision, undo } = table.state;
  const named = decision?.about?.units ?? [];
  const target = decision?.about?.spaces[0];
  const making = table.offer.mine && undo && table.seen !== null && !decision?.top && target !== undefined;
  return making && named.includes(unit) && !table.offer.byUnit.has(unit) && table.pieces.get(unit)?.space !== target;
}

/** Take back its naming and all that came after, and name the others again. */
export async function leaveOut(table: Table, unit: string): Promise<void> {
  const named = table.about?.units ?? [];
  const others = named.slice(named.indexOf(unit) + 1);
  for (let count = 0; count < MOST_TAKEN_BACK && table.about?.units.includes(unit) && table.state.undo; count++)
    if (!(await table.act("undo"))) return;
  for (const other of others) {
    const option = table.offer.byUnit.get(other);
    if (option && !(await table.choose(option.id))) return;
  }
}
