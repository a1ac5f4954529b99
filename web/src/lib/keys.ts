/** Keys of the table: what each does, for the page and for the sheet that lists them. */

import { groupsOf } from "../board/overlays";
import { mannersOf } from "./options";
import { settings } from "./settings.svelte";
import type { Table } from "./table.svelte";

/** The overlay that a letter switches, by how it is drawn. */
const LAYERS: Record<string, string> = { m: "zones", s: "supply", t: "area" };

/** Whether the key meant something. */
export function pressKey(table: Table, event: KeyboardEvent, onControl: boolean): boolean {
  const letter = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return undoKey(table, letter, event.shiftKey);
  if (event.altKey) return false;
  if (toldKey(table, letter, onControl)) return true;
  const acts: Record<string, () => void> = {
    escape: () => table.cancel(),
    z: () => void table.undo(),
    y: () => void table.redo(),
    n: () => table.showNext(),
    e: () => table.takeEnd(),
    h: () => void table.askHint(),
    w: () => showThreats(table),
    r: () => nextManner(table),
  };
  if (letter === "enter" && !onControl) table.takePrimary();
  else if (acts[letter]) acts[letter]();
  else if (/^[1-9]$/.test(letter) && table.offer.byCard.size) liftNth(table, Number(letter));
  else if (!switchLayer(table, letter)) return false;
  return true;
}

function undoKey(table: Table, letter: string, shift: boolean): boolean {
  if (letter === "z") void (shift ? table.redo() : table.undo());
  else if (letter === "y") void table.redo();
  else return false;
  return true;
}

/** While the enemy's turn is told: space pauses, arrows go back and on. */
function toldKey({ story }: Table, letter: string, onControl: boolean): boolean {
  if (!story || story.over) return false;
  if (letter === " " && !onControl) story.toggle();
  else if (letter === "arrowleft") story.step(-1);
  else if (letter === "arrowright") story.step(1);
  else return false;
  return true;
}

/** Of the unit that is pointed at, or was looked at last. */
function showThreats(table: Table): void {
  const unit = table.hovered ?? table.picked;
  if (unit) void table.turnThreats(unit);
}

/** Show only what is reached in one way of moving, then in the next, then all again. */
function nextManner(table: Table): void {
  const manners = table.reach ? mannersOf(table.reach) : [];
  const at = table.manner === null ? -1 : manners.indexOf(table.manner);
  table.manner = manners.length > 1 ? (manners[at + 1] ?? null) : null;
}

function liftNth(table: Table, number: number): void {
  const cards = table.shown.scene.hands.flatMap((hand) => hand.cards);
  const card = cards[number - 1];
  if (card) table.lift(card);
}

function switchLayer(table: Table, letter: string): boolean {
  const group = groupsOf(table.look.overlays).find(({ pattern }) => pattern === LAYERS[letter]);
  if (group) settings.turnOverlay(group.name);
  return !!group;
}
