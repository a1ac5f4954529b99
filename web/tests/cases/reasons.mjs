/** Rules that play a side: their cards, what is drawn in their fights, why they did what they did, and the calendar. */

import assert from "node:assert/strict";
import { PHONE, begin, choosing, enter, myTurn, sit, stateOf } from "../table.mjs";

const SMALL = { viewport: { width: 1366, height: 768 } };

/** A match in which the rules have just attacked, opened where the question of tactics waits. */
async function attacked(page) {
  const { id, host } = await begin(page, "enemy_action", {});
  await enter(page, id, host);
  for (let passes = 0; passes < 12; passes++) {
    const { decision, events } = await stateOf(page);
    if (events.some(({ kind }) => kind === "battle") && decision.options.some(({ id }) => id === "done")) return;
    const quiet = decision.options.find(({ id }) => ["pass", "done", "retreat"].includes(id)) ?? decision.options[0];
    await choosing(page, () => page.locator(`[data-option="${quiet.id}"]`).first().click());
    await myTurn(page);
  }
  throw new Error("the rules never attacked");
}

/** What is drawn is turned up one by one, what holds is lit, and the count runs along; the log opens it again. */
async function drawn_one_by_one(browser) {
  const page = await sit(browser, { ...SMALL, reducedMotion: "no-preference" });
  await attacked(page);
  await page.evaluate(() => localStorage.setItem("bulge.settings", JSON.stringify({ pace: 4, guided: ["enemy_action"] })));
  await page.reload();
  await page.waitForSelector(".prompt");
  await page.click('[data-option="done"]');
  await page.waitForSelector(".draws li:not(.up)");
  await page.waitForFunction(() => document.querySelector(".draws li.up") && !document.querySelector(".draws li:not(.up)"));
  const table = await page.evaluate(() => ({
    drawn: document.querySelectorAll(".draws ol li").length,
    faces: document.querySelectorAll(".draws .face").length,
    counts: [...document.querySelectorAll(".draws dd")].map((each) => Number(each.textContent)),
  }));
  const { events } = await stateOf(page);
  const from = events.findLastIndex(({ kind }) => kind === "battle");
  const draws = events.slice(from).filter(({ kind }) => kind === "draw");
  const result = events.slice(from).find(({ kind }) => kind === "result");
  const sums = result.conditions[0].counts.map(([side]) => Math.max(0, result.conditions.flatMap(({ counts }) => counts).filter(([each]) => each === side).reduce((sum, [, number]) => sum + number, 0)));
  assert.deepEqual(table, { drawn: draws.length, faces: 2 * draws.length, counts: sums });
  assert.deepEqual(page.troubles, []);
}

/** A line of the log opens its chain of reasons; a link of it lights its places on the map. */
async function chain_of_reasons(browser) {
  const page = await sit(browser, SMALL);
  await attacked(page);
  await page.locator(".log .why-so").last().click();
  await page.waitForSelector(".chain .self");
  const links = await page.locator(".chain > li").count();
  assert.ok(links >= 4, `${links} links`);
  assert.ok((await page.locator(".chain .tests .holds").count()) > 0, "no test that decided");
  await page.locator(".chain .link").last().focus();
  await page.waitForSelector("path.lit", { state: "attached" });
  await page.locator(".log .why-so[aria-expanded=true]").click();
  await page.waitForFunction(() => !document.querySelector("path.lit"));
  assert.deepEqual(page.troubles, []);
}

/** The track of days opens; today is marked, and so are days of counting. What was played from a pile can be looked at. */
async function calendar(browser) {
  const page = await sit(browser, SMALL);
  const campaign = await begin(page, "enemy_action", {}, { scenario: "battle_of_the_bulge" });
  await enter(page, campaign.id, campaign.host);
  await page.locator(".track .day").nth(4).click();
  await page.waitForSelector("dialog .asked .flag");
  assert.match(await page.textContent("dialog [aria-current=date]"), /^16 Dec/);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog"));
  const { id, host } = await begin(page, "enemy_action", {});
  await enter(page, id, host);
  await page.click(".hand .pile.played >> nth=1");
  await page.waitForSelector("dialog .face");
  assert.deepEqual(page.troubles, []);
}

/** Turns are those of the scenario, and so is who comes with them. */
async function calendar_of_a_scenario(browser) {
  const page = await sit(browser, SMALL);
  for (const [scenario, turns, without] of [["S2", ["16 AM", "16 PM", "17 AM", "17 PM", "18 AM", "18 PM"], /101st|82nd/], ["S4", ["22 AM", "22 PM", "23 AM", "23 PM", "24 AM", "24 PM", "25 AM", "25 PM", "26 AM", "26 PM"], /101st/]]) {
    const { id, host } = await begin(page, "ardennes_44", { German: "human", Allied: "human" }, { scenario });
    await enter(page, id, host);
    const names = await page.locator(".track .day .unseen").allTextContents();
    assert.deepEqual(names.map((name) => name.slice(0, 5)), turns);
    assert.match(names[2], /units due: /);
    assert.doesNotMatch(names.join(), without);
    await page.locator(".track .day").last().click();
    const days = page.locator("dialog ol > li");
    assert.deepEqual((await days.locator("h3").allTextContents()).map((day) => day.slice(0, 5)), turns);
    assert.match(await page.textContent("dialog .asked"), new RegExp(`^${turns.at(-1)}`));
    assert.doesNotMatch(await page.textContent("dialog"), without);
    await page.keyboard.press("Escape");
  }
  assert.deepEqual(page.troubles, []);
}

/** The guide stands clear of hand and piles; before an attack the chances of each number of hits are bars, on a phone too. */
async function guide_clear_of_cards(browser) {
  const page = await sit(browser, SMALL);
  await page.addInitScript(() => localStorage.setItem("bulge.settings", JSON.stringify({ pace: 0, guided: [] })));
  const { id, host } = await begin(page, "enemy_action", {});
  await enter(page, id, host);
  await page.waitForSelector(".coach");
  const [coach, ...others] = await page.evaluate(() => [".coach", ".hand .decks", ".hand ol", ".prompt"].map((part) => document.querySelector(part).getBoundingClientRect().toJSON()));
  for (const part of others) assert.ok(coach.bottom <= part.top || coach.top >= part.bottom || coach.right <= part.left, "the guide lies over something");
  assert.deepEqual(page.troubles, []);
}

async function drawn_on_a_phone(browser) {
  const page = await sit(browser, PHONE);
  await attacked(page);
  await choosing(page, () => page.tap('[data-option="done"]'));
  await page.waitForSelector(".sheet .draws dd");
  await page.locator(".tabs button").last().tap();
  await page.waitForSelector(".sheet .track .day");
  assert.deepEqual(page.troubles, []);
}

export const cases = { drawn_one_by_one, chain_of_reasons, calendar, calendar_of_a_scenario, guide_clear_of_cards, drawn_on_a_phone };
