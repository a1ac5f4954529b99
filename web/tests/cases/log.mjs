/** A long log comes in pages: the newest with the match, earlier ones for whoever reads back. */

import assert from "node:assert/strict";
import { PHONE, sitAt, stateOf } from "../table.mjs";

const DESKTOP = { viewport: { width: 1366, height: 768 } };
/** Late in the kept game of Ardennes '44: most of its log is not sent with a state. */
const LATE = { n: 2290, prompt: /Move a unit/ };

/** The match opened in its middle, with what went over its line: the first state, and what was asked of the log. */
async function open(browser, size) {
  const page = await sitAt(browser, size, LATE);
  const line = { states: [], asked: [] };
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => JSON.parse(payload).type === "state" && line.states.push(JSON.parse(payload)));
    socket.on("framesent", ({ payload }) => JSON.parse(payload).type === "log" && line.asked.push(JSON.parse(payload).before));
  });
  await page.reload();
  await page.waitForSelector(".prompt");
  if (await page.locator(".tabs").count()) await page.click(".tabs >> text=Log");
  await page.waitForSelector(".log [data-line]");
  return { page, line, events: (await stateOf(page)).events };
}

/** The numbers of the lines that are there, and of those that are to be seen. */
const lines = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll(".log li[data-line]")];
    const frame = (document.querySelector(".sheet") ?? document.querySelector(".log ol")).getBoundingClientRect();
    const seen = all.filter((line) => line.getBoundingClientRect().bottom > frame.top && line.getBoundingClientRect().top < frame.bottom);
    const numbers = (some) => some.map((line) => Number(line.dataset.line));
    return { all: numbers(all), seen: numbers(seen) };
  });

/** Up to the top of what there is: the list by a wheel, on a phone the sheet that it lies in. */
async function scrollUp(page, size) {
  if (size.hasTouch) return page.evaluate(() => document.querySelector(".sheet").scrollTo(0, 0));
  const { x, y, width, height } = await page.locator(".log ol").boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, -20_000);
}

const grown = (page, count) => page.waitForFunction((count) => document.querySelectorAll(".log li[data-line]").length > count, count);

/** Earlier lines come when one scrolls up, in their order and once each, and what is read stays in its place. */
async function log_by_pages(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const { page, line } = await open(browser, size);
    assert.ok(line.states[0].skipped > 500, "all of the log has come");
    assert.deepEqual(line.asked, [], "earlier lines were asked for though nobody has read back");
    while (await page.locator("[data-earlier]").count()) {
      const { all } = await lines(page);
      await scrollUp(page, size);
      await grown(page, all.length);
      assert.ok((await lines(page)).seen.includes(all[0]), "the line that was read has gone out of sight");
      if (process.env.BULGE_PICTURES && line.asked.length < 2) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/log-${size.viewport.width}.png` });
    }
    const { all } = await lines(page);
    assert.equal(all[0], 0);
    assert.deepEqual(all, [...new Set(all)].sort((a, b) => a - b), "lines come in their order, once each");
    assert.ok(line.asked.length > 1);
    assert.deepEqual(line.asked, [...new Set(line.asked)], "a page was asked for twice");
    assert.deepEqual(page.troubles, []);
  }
}

/** By keys alone: the list scrolls to its top, the button there leads on, and after the last page the list has the focus. */
async function log_by_keys(browser) {
  const { page } = await open(browser, DESKTOP);
  await page.focus(".log ol");
  const { all } = await lines(page);
  await page.keyboard.press("Home");
  await grown(page, all.length);
  assert.match(await page.textContent(".log .unseen"), /^\d+ earlier lines$/);
  const pressed = () => {
    const button = document.querySelector("[data-earlier]");
    button?.focus({ preventScroll: true });
    button?.click();
    return !button;
  };
  await page.waitForFunction(pressed);
  assert.equal((await lines(page)).all[0], 0);
  await page.waitForFunction(() => document.activeElement?.matches(".log ol"));
  assert.deepEqual(page.troubles, []);
}

/** What counts all of the log has all of it: every die in the ledger, every turn and battle above the slider. */
async function whole_log_where_it_counts(browser) {
  const { page, events } = await open(browser, DESKTOP);
  await page.click('[aria-label="Menu"]');
  await page.click("dialog >> text=Luck");
  const dice = events.filter(({ sides }) => sides > 1).reduce((sum, event) => sum + event.dice.length, 0);
  const all = page.locator("dialog tbody tr").first().locator("td").first();
  await page.waitForSelector("dialog tbody");
  assert.equal(Number(await all.textContent()), dice);
  assert.deepEqual(page.troubles, []);
}

/** Looking back, the slider has its marks from the first turn on, and the log ends at that moment. */
async function log_of_the_past(browser) {
  const { page, line, events } = await open(browser, DESKTOP);
  await page.click('[aria-label="Menu"]');
  await page.click("dialog >> text=Replay");
  await page.waitForSelector(".replay .line i.turn", { state: "attached" });
  const turns = events.filter(({ kind }) => kind === "turn").length;
  assert.equal(await page.locator(".replay .line i.turn").count(), turns);
  assert.ok(line.asked.length > 1);
  const past = events.filter(({ at }) => at <= 1000);
  await page.locator(".replay input").fill("1000");
  await page.waitForFunction((last) => Number([...document.querySelectorAll(".log li[data-line]")].at(-1)?.dataset.line) < last, past.length);
  const { all } = await lines(page);
  assert.ok(past.length - all.at(-1) < 12, "it ends at that moment, but for what is folded into a line");
  assert.deepEqual(page.troubles, []);
}

export const cases = { log_by_pages, log_by_keys, whole_log_where_it_counts, log_of_the_past };
