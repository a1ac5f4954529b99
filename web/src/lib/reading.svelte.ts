/** How much of a table's talk was read in this browser. */

const KEY = (table: string) => `bulge.read.${table}`;
/** Read anew whenever something was read. */
let times = $state(0);

export function unreadAt(table: string, talk: number): number {
  void times;
  return Math.max(0, talk - Number(localStorage.getItem(KEY(table)) ?? 0));
}

export function readAt(table: string, talk: number): void {
  if (!unreadAt(table, talk)) return;
  localStorage.setItem(KEY(table), String(talk));
  times += 1;
}
