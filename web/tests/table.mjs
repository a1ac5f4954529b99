/** A person at the table: opens pages, points at hexes and counters, and waits for what must come. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const PATIENCE = 20_000;

export const SERVER = process.env.BULGE_SERVER ?? "http://127.0.0.1:8765/";
export const DESKTOP = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

export function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}

/** Browsers that nobody sits at, by what they look like: as their next guest finds them, with a blank page and nothing remembered. */
const free = new Map();

/**
 * A page in a browser of its own (no shared storage). Anything on its error console fails the case. The enemy's turn is
 * told only where a case asks for it, by a `pace`. The client's files may be there from an earlier guest, as for anybody
 * who comes again, except where a case asks for a `fresh` browser.
 */
export async function sit(browser, options = DESKTOP) {
  const { fresh, ...look } = options;
  const kind = JSON.stringify(look);
  const context = (!fresh && free.get(kind)?.pop()) || (await open(browser, look));
  context.kind = fresh ? null : kind;
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(PATIENCE);
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.troubles.push(message.text()));
  return page;
}

async function open(browser, { pace = 0, ...rest }) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...rest });
  await context.addInitScript((pace) => localStorage.getItem("bulge.settings") ?? localStorage.setItem("bulge.settings", JSON.stringify({ pace, guided: ["ford", "the_bulge", "ardennes_offensive", "ardennes_44", "bastogne", "enemy_action"] })), pace);
  return context;
}

/** Whoever sat at this browser leaves it, and all that was remembered of them goes: opening another one takes longer. */
export async function leave(context, again = true) {
  const { kind } = context;
  if (free.get(kind)?.includes(context)) return;
  if (!kind || !again) return context.close();
  const left = context.pages();
  const blank = await context.newPage();
  for (const page of left) await page.close();
  await context.clearCookies();
  const session = await context.newCDPSession(blank);
  await session.send("Storage.clearDataForOrigin", { origin: new URL(SERVER).origin, storageTypes: "all" });
  await session.detach();
  free.set(kind, [...(free.get(kind) ?? []), context]);
}

export async function begin(page, game, seats, more = {}) {
  const answer = await page.request.post(`${SERVER}api/matches`, { data: { game, seats, seed: "browser", ...more } });
  assert.ok(answer.ok(), await answer.text());
  return answer.json();
}

export async function enter(page, id, token) {
  await page.goto(`${SERVER}#/match/${id}/${token}`);
  await page.waitForSelector(".counter", { state: "attached" });
  if (await page.locator(".curtain").count()) await page.click(".curtain button");
  await page.waitForSelector(".prompt, .replay");
}

/** A game that is kept with the tests. */
export const played = (name) => new URL(`../../tests/played/${name}.json`, import.meta.url);
const KEPT = played("ardennes_44-greedy-1");

/** A page at a question of a kept game, as a match of its own. */
export async function sitAt(browser, size, { n, prompt, game = KEPT }) {
  const page = await sit(browser, size);
  const post = async (address, options) => {
    const answer = await page.request.post(`${SERVER}api/matches/${address}`, options);
    assert.ok(answer.ok(), await answer.text());
    return answer.json();
  };
  const kept = await post("import", { data: JSON.parse(readFileSync(game)) });
  const { id, host } = await post(`${kept.id}/branch/${n}`, { headers: { "X-Token": kept.host } });
  await enter(page, id, host);
  assert.match((await stateOf(page)).decision.prompt, prompt);
  return page;
}

export async function stateOf(page) {
  const [, , id, token] = new URL(page.url()).hash.split("/");
  const answer = await page.request.get(`${SERVER}api/matches/${id}`, { headers: token ? { "X-Token": token } : {} });
  assert.ok(answer.ok(), await answer.text());
  return answer.json();
}

/** Wait until it is this page's turn to choose, or the game is over, and the page shows it. */
export async function myTurn(page) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const state = await stateOf(page);
    if (state.result || state.decision?.mine) {
      await page.waitForFunction((n) => document.querySelector(".prompt")?.dataset.n === String(n), state.n);
      return state;
    }
    await page.waitForTimeout(50);
  }
  throw new Error("it never came to be our turn");
}

/** Wait until the browser has drawn what was done. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Where a space of the map is on the screen. If it lies beyond the frame or under a panel, the map is moved by keys. */
export const placeOf = (page, space) => bring(page, space);

/** The same of the middle between several spaces: of two neighbours, their hexside. */
async function bring(page, ...spaces) {
  for (let tries = 0; tries < 4; tries++) {
    await drawn(page);
    const found = await page.evaluate(async (ids) => {
      const [, , match, token] = location.hash.split("/");
      window.look ??= await (await fetch(`api/matches/${match}/look`, { headers: { "X-Token": token ?? "" } })).json();
      const places = window.look.spaces.filter((each) => ids.includes(each.id));
      const [x, y] = ["x", "y"].map((way) => places.reduce((sum, each) => sum + each[way], 0) / places.length);
      const point = new DOMPoint(x, y).matrixTransform(document.querySelector(".map .layer svg").getScreenCTM());
      const top = document.elementFromPoint(point.x, point.y);
      const frame = document.querySelector(".map").getBoundingClientRect();
      return {
        x: point.x,
        y: point.y,
        open: !!top?.closest(".map") && !top.closest("[data-panel]"),
        right: Math.round((point.x - frame.left - frame.width / 2) / 90),
        down: Math.round((point.y - frame.top - frame.height / 2) / 90),
      };
    }, spaces);
    if (found.open) return found;
    await page.focus(".map");
    for (let i = 0; i < Math.abs(found.right); i++) await page.keyboard.press(found.right > 0 ? "Shift+ArrowRight" : "Shift+ArrowLeft");
    for (let i = 0; i < Math.abs(found.down); i++) await page.keyboard.press(found.down > 0 ? "Shift+ArrowDown" : "Shift+ArrowUp");
  }
  throw new Error(`${spaces.join("/")} is not to be seen`);
}

export async function clickSpace(page, space, how = {}) {
  const { x, y } = await placeOf(page, space);
  if (how.touch) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y, how);
}

async function clickSide(page, side) {
  const { x, y } = await bring(page, ...side.split("/"));
  await page.mouse.click(x, y);
}

/** Click a counter; in a stack, the stack opens first. */
export async function clickUnit(page, unit) {
  const piece = (await stateOf(page)).scene.pieces.find((each) => each.unit === unit);
  if (!piece) return page.click(`[data-option="${unit}"]`);
  const before = await page.getAttribute(".prompt", "data-n");
  const counter = page.locator(`[data-unit="${unit}"]`);
  await placeOf(page, piece.space);
  if ((await counter.getAttribute("data-seen")) !== null) return clickSeen(page, counter);
  await clickSpace(page, piece.space);
  await page.waitForFunction((n) => document.querySelector(".prompt")?.dataset.n !== n || document.querySelector("rect.plate, .primary.risk"), before);
  if (await page.locator("rect.plate").count()) await clickMiddle(page, counter);
}

/** A counter that lies open in a box or tray, perhaps beyond the frame or under a panel. */
async function clickSeen(page, counter) {
  await page.focus(".map");
  for (let tries = 0; tries < 20; tries++) {
    await drawn(page);
    const way = await counter.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const [at, down] = [x + width / 2, y + height / 2];
      const frame = document.querySelector(".map").getBoundingClientRect();
      if (document.elementFromPoint(at, down)?.closest("[data-unit]") === element) return null;
      const far = [at - frame.left - frame.width / 2, down - frame.top - frame.height / 2];
      return Math.abs(far[0]) > Math.abs(far[1]) ? (far[0] > 0 ? "Right" : "Left") : far[1] > 0 ? "Down" : "Up";
    });
    if (!way) return clickMiddle(page, counter);
    await page.keyboard.press(`Shift+Arrow${way}`);
  }
  throw new Error("the counter is not to be seen");
}

async function clickMiddle(page, counter) {
  const box = await counter.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Do something that makes a choice, and wait until the page shows the state after it. */
export async function choosing(page, act) {
  const before = await page.getAttribute(".prompt", "data-n");
  await act();
  await page.waitForFunction((n) => document.querySelector(".prompt")?.dataset.n !== n, before);
}

/** Choose an option by pointing at what it points at; of a destination, that is the place. */
export async function take(page, option, kind = "unit") {
  await choosing(page, () => pointAt(page, option, kind));
}

async function pointAt(page, option, kind) {
  if (option.units.length && (kind === "unit" || !option.spaces.length)) await clickUnit(page, option.units[0]);
  else if (option.sides?.length) await clickSide(page, option.sides[0]);
  else if (option.spaces.length) await clickSpace(page, option.spaces[0]);
  if (option.units.length || option.spaces.length) {
    if (option.rolls) await page.click(".foot .primary.risk");
  } else {
    const button = page.locator(`[data-option="${option.id}"]`).first();
    await button.click();
    if (option.role?.startsWith("end_") && (await page.locator(".sure").count())) await button.click();
  }
}

export const pieceAt = async (page, unit) => (await stateOf(page)).scene.pieces.find((each) => each.unit === unit)?.space;
