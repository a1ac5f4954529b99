import assert from "node:assert/strict";
import { DESKTOP, PHONE, SERVER, begin, choosing, enter, sit, stateOf } from "../table.mjs";
import { audit } from "./access.mjs";

/** A match that is over is reviewed: progress, then chances, the board at a moment, and the replay from there. */
async function review_of_a_match(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "random", Red: "random" });
  await enter(page, id, host);
  await page.click("[data-review]", { timeout: 60_000 });
  await page.waitForSelector('.review[data-state="made"] .plot', { timeout: 60_000 });
  await page.waitForSelector(".board .counter", { state: "attached" });
  await audit(page, "the review");
  await page.focus('.plot [role="slider"]');
  await page.keyboard.press("ArrowRight");
  const at = Number(await page.getAttribute(".board", "data-at"));
  await page.click("[data-step]");
  await page.waitForSelector(".replay");
  await page.waitForFunction((n) => Number(document.querySelector('.replay input[type="range"]')?.value) === n, at);
  await page.goBack();
  await page.waitForSelector('.review[data-state="made"] .plot');
  await page.setViewportSize({ width: 60, height: 600 }); // no room for a curve: as before the page is laid out
  await page.waitForFunction(() => document.querySelector(".plot").clientWidth < 50);
  const phone = await sit(browser, PHONE);
  await phone.goto(`${SERVER}#/review/${id}/${host}`);
  await phone.waitForSelector('.review[data-state="made"] .plot');
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the phone");
  await audit(phone, "the review on a phone");
  assert.deepEqual(page.troubles, []);
}

/** No review of a match that goes on. */
async function review_waits_for_the_end(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await page.goto(`${SERVER}#/review/${id}/${host}`);
  await page.waitForSelector("text=/reviewed when it is over/");
}

/** A hint for a phase of moves lists plans with their worth; the one that is pointed at is drawn. */
async function hint_draws_its_plans(browser) {
  const page = await sit(browser);
  // Now and then no other plan differs enough to be listed: then another match is asked about.
  for (let tries = 0; tries < 4 && !(await page.locator("[data-plan]").count()); tries++) {
    const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
    await enter(page, id, host);
    await choosing(page, () => page.click('[data-option="done"]'));
    await page.click(".prompt .hint");
    await page.waitForSelector("[data-hint]", { timeout: 60_000 });
  }
  await page.hover('[data-plan="0"]');
  await page.waitForSelector(".map path.line.would", { state: "attached" });
  assert.match(await page.textContent('[data-plan="0"]'), /^\s*The best found/);
  assert.deepEqual(page.troubles, []);
}

/** A hint that fails, or is refused, says why, and can be asked for again. */
async function hint_says_why_there_is_none(browser) {
  const page = await sit(browser);
  await page.addInitScript(() => {
    const { send } = WebSocket.prototype;
    let refused = false;
    WebSocket.prototype.send = function (message) {
      const { type, re } = JSON.parse(message);
      if (type !== "hint" || refused) return send.call(this, message);
      refused = true;
      this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ type: "error", words: "There is no hint now.", re }) }));
    };
  });
  const { id, host } = await begin(page, "ardennes_44", { German: "human", Allied: "human" }, { scenario: "S2" });
  await enter(page, id, host);
  await page.click(".prompt .hint");
  await page.waitForSelector('.prompt .bad:text("There is no hint now.")');
  await choosing(page, () => page.click('[data-option="done"]'));
  await page.click(".prompt .hint");
  await page.waitForSelector("[data-hint]", { timeout: 60_000 });
  assert.equal(await page.locator(".prompt .bad").count(), 0);
  assert.deepEqual(page.troubles, []);
}

/** A match against the computer is given up, and then looked back on. */
async function give_up(browser) {
  for (const look of [DESKTOP, PHONE]) {
    const page = await sit(browser, look);
    const { id, host } = await begin(page, "ford", { Blue: "human", Red: "recruit" });
    await enter(page, id, host);
    await page.click('[aria-label="Menu"]');
    await page.click("[data-give-up]");
    await page.click("[data-give-up-sure]");
    await page.waitForSelector("text=/Blue gave the game up/");
    assert.equal((await stateOf(page)).result.winner, "Red");
    await page.click("[data-review]");
    await page.waitForSelector('.review[data-state="made"]', { timeout: 60_000 });
    assert.deepEqual(page.troubles, []);
  }
}

export const cases = { give_up, hint_draws_its_plans, hint_says_why_there_is_none, review_of_a_match, review_waits_for_the_end };
