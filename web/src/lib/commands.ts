/** The text board: questions and choices typed as words. */

import { describePiece, describeSpace } from "./describe";
import { sharesOf } from "./results";
import type { Option } from "./protocol";
import type { Table } from "./table.svelte";
import { words } from "./words";

const { said } = words;

type Answer = string | string[];
type Handler = (table: Table, rest: string) => Answer | Promise<Answer>;

const PATTERNS: [RegExp, Handler][] = [
  [/^(?:help|\?)$/, (table) => help(table)],
  [/^options?$/, (table) => listOptions(table)],
  [/^(?:what(?:'s| is)?(?: there)? (?:in|at|on)|look(?: at)?|inspect) (.+)$/, (table, rest) => inspect(table, rest)],
  [/^where can (.+) go$/, (table, rest) => whereTo(table, rest)],
  [/^where(?:'s| is) (.+)$/, (table, rest) => whereIs(table, rest)],
  [/^why(?: not)? (.+)$/, (table, rest) => why(table, rest)],
  [/^near (.+)$/, (table, rest) => near(table, rest)],
  [/^(?:odds|preview|attack odds)$/, (table) => odds(table)],
  [/^(friends|enemies)$/, (table, rest) => roll(table, rest === "friends")],
  [/^reinforcements$/, (table) => due(table)],
  [/^score$/, (table) => score(table)],
  [/^turn$/, (table) => turn(table)],
  [/^log$/, (table) => table.shown.events.slice(-8).map((event) => `${event.words}${event.dice.length ? ` ${event.dice.join(", ")}` : ""}`)],
  [/^rule (.+)$/, (table, rest) => ruleLines(table, rest) ?? words.ruleUnknown],
  [/^hint$/, async (table) => (await table.askHint())?.words ?? table.complaint ?? said.noHint],
  [/^undo$/, async (table) => (table.state.undo ? (await table.undo(), said.done) : said.cannotUndo)],
  [/^redo$/, async (table) => (table.state.redo ? (await table.redo(), said.done) : said.cannotRedo)],
  [/^(?:choose|move|go(?: to)?|attack|take) (.+)$/, (table, rest) => choose(table, rest)],
  [/^(.+)$/, (table, rest) => choose(table, rest)],
];

export async function answer(table: Table, line: string): Promise<string[]> {
  const text = line.trim().replace(/[?.!]+$/, "").replace(/\s+/g, " ");
  if (!text) return [];
  const lower = text.toLowerCase();
  for (const [pattern, handler] of PATTERNS) {
    const found = pattern.exec(lower);
    if (!found) continue;
    const result = await handler(table, found[1] ?? "");
    return typeof result === "string" ? [result] : result;
  }
  return [said.nothing];
}

// ---------------------------------------------------------------------- what a name means

function spaceNamed(table: Table, name: string): string | null {
  const wanted = name.replace(/^hex /, "");
  for (const space of table.look.spaces)
    if (space.id.toLowerCase() === wanted || space.name.toLowerCase() === wanted) return space.id;
  return null;
}

/** The units a name may mean: its id, or part of its name. */
export function unitsNamed(table: Pick<Table, "look">, name: string): string[] {
  const wanted = name.replace(/^the /, "");
  const exact = table.look.faces.filter((face) => [face.id, face.short, face.name].some((text) => text.toLowerCase() === wanted));
  if (exact.length) return exact.map(({ id }) => id);
  const parts = wanted.split(" ");
  return table.look.faces.filter((face) => parts.every((part) => face.name.toLowerCase().includes(part))).map(({ id }) => id);
}

function withUnit(table: Table, name: string, use: (unit: string) => Answer | Promise<Answer>): Answer | Promise<Answer> {
  const units = unitsNamed(table, name);
  const [unit] = units;
  if (!unit) return said.noSuch(name);
  if (units.length > 1) return said.several(units.map((id) => table.faces.get(id)?.name ?? id));
  return use(unit);
}

const nameOf = (table: Table, unit: string) => table.faces.get(unit)?.name ?? unit;

// ---------------------------------------------------------------------- questions

/** With names from this very game. */
function help(table: Table): string[] {
  const [piece] = table.pieces.values();
  const place = piece?.space ?? table.look.spaces[0]?.id ?? "";
  return said.help(place, piece ? nameOf(table, piece.unit) : "", table.state.decision?.rule ?? "");
}

function inspect(table: Table, name: string): Answer | Promise<Answer> {
  const space = spaceNamed(table, name);
  return space ? describeSpace(table, space) : withUnit(table, name, (unit) => unitLine(table, unit));
}

function unitLine(table: Table, unit: string): string {
  const piece = table.pieces.get(unit);
  return piece ? `${describePiece(table, piece)}. ${describeSpace(table, piece.space)}` : said.notHere(nameOf(table, unit));
}

function whereIs(table: Table, name: string): Answer | Promise<Answer> {
  return withUnit(table, name, (unit) => {
    const piece = table.pieces.get(unit);
    return piece ? said.isIn(nameOf(table, unit), table.spaceName(piece.space)) : said.notHere(nameOf(table, unit));
  });
}

function whereTo(table: Table, name: string): Answer | Promise<Answer> {
  return withUnit(table, name, (unit) => {
    if (!table.reach || (table.picked !== unit && !table.about?.units.includes(unit))) return said.notMoving(nameOf(table, unit));
    const places = Object.entries(table.reach.costs).map(([space, cost]) => said.cost(table.spaceName(space), String(cost)));
    return said.goes(nameOf(table, unit), places);
  });
}

/** A rule, and the cases that stand under it. */
function ruleLines(table: Table, number: string): Answer | null {
  const rule = table.rules.get(number.toUpperCase());
  if (!rule) return null;
  const cases = rule.cases.flatMap((each) => table.rules.get(each) ?? []);
  return [`${rule.title}. ${rule.words}`, ...cases.map((each) => `${each.number} ${each.title}. ${each.words}`)];
}

async function why(table: Table, name: string): Promise<Answer> {
  const rule = ruleLines(table, name);
  if (rule) return rule;
  if (!table.offer.mine) return said.notYou;
  const about = spaceNamed(table, name) ?? unitsNamed(table, name)[0] ?? name;
  const refusal = await table.askWhy(about, innerWidth / 2, innerHeight / 2);
  return refusal ? words.withRule(refusal.words, refusal.rule) : said.nothing;
}

function near(table: Table, name: string): Answer {
  const space = spaceNamed(table, name);
  if (!space) return said.noSuch(name);
  const pieces = table.shapes.neighbours(space).flatMap((id) => table.stacks.get(id) ?? []);
  return pieces.length ? said.near(pieces.map((piece) => `${describePiece(table, piece)}, ${table.spaceName(piece.space)}`)) : said.nobodyNear;
}

function odds(table: Table): Answer {
  const preview = table.seen?.preview;
  if (!preview) return said.noOdds;
  return said.odds(preview.words, sharesOf(preview).map(({ result, percent }) => words.chanceOf(result, percent)));
}

function roll(table: Table, friends: boolean): Answer {
  const me = table.campOf(table.state.side ?? table.state.decision?.side ?? null);
  return [...table.pieces.values()]
    .filter((piece) => (table.faces.get(piece.unit)?.side === me) === friends)
    .map((piece) => `${describePiece(table, piece)}, ${table.spaceName(piece.space)}`);
}

function due(table: Table): Answer {
  const waiting = table.shown.scene.waiting.filter(({ units }) => units.length);
  return waiting.length ? waiting.map(({ box, units }) => said.dueOn(box, units.map((unit) => nameOf(table, unit)))) : said.nobodyDue;
}

function score(table: Table): Answer {
  const { scores } = table.shown.scene;
  return scores.length ? scores.map(({ label, value, of }) => said.score(label, value, of)) : said.noScore;
}

function turn(table: Table): Answer {
  const { scene } = table.shown;
  return said.turn(words.turnOf(scene.turn, table.lastTurn), table.phaseOf(scene.step));
}

function listOptions(table: Table): Answer {
  const { decision } = table.state;
  return decision?.mine ? said.youMay(decision.prompt, decision.options.map(optionLine)) : said.notYou;
}

export function optionLine(option: Option): string {
  return option.cost ? `${option.words}, ${words.points(option.cost)}` : option.words;
}

// ---------------------------------------------------------------------- choices

async function choose(table: Table, name: string): Promise<Answer> {
  const { decision } = table.state;
  if (!decision?.mine) return unitsNamed(table, name).length || spaceNamed(table, name) ? inspect(table, name) : said.notYou;
  const option = optionNamed(decision.options, name, table);
  if (option) {
    await table.choose(option.id);
    return table.complaint ?? said.chose(option.words);
  }
  const space = spaceNamed(table, name);
  if (space && table.reach && space in table.reach.costs) {
    await table.go(space);
    return table.complaint ?? said.chose(table.spaceName(space));
  }
  if (space || unitsNamed(table, name).length) return said.notAllowed;
  return said.nothing;
}

function optionNamed(options: readonly Option[], name: string, table: Table): Option | undefined {
  const space = spaceNamed(table, name);
  const units = unitsNamed(table, name).filter((unit) => options.some((option) => option.units.includes(unit)));
  return (
    options.find((option) => option.id.toLowerCase() === name || option.words.toLowerCase() === name) ??
    options.find((option) => space !== null && option.spaces.includes(space)) ??
    (units.length === 1 ? options.find((option) => option.units.includes(units[0] ?? "")) : undefined)
  );
}
