import assert from "node:assert/strict";
import { DESKTOP, PHONE, SERVER, begin, choosing, clickSpace, clickUnit, enter, leave, myTurn, sit, stateOf, take } from "../table.mjs";

const picture = (page, name) => (process.env.BULGE_PICTURES ? page.screenshot({ path: `${process.env.BULGE_PICTURES}/${name}.png` }) : null);

/** End one's turn, and wait until the first event of the enemy's is told. */
async function endTurn(page) {
  const { turn } = (await stateOf(page)).scene;
  for (let count = 0; count < 12 && !(await page.locator(".bar").count()); count++) {
    const { decision, scene } = await stateOf(page);
    if (!decision?.mine || scene.turn > turn) break;
    const end = decision.options.find(({ role }) => role.startsWith("end")) ?? decision.options[0];
    await choosing(page, async () => {
      await page.locator(`[data-option="${end.id}"]`).first().click();
      if (await page.locator(".sure").count()) await page.locator(`[data-option="${end.id}"]`).first().click();
    });
  }
  await page.waitForSelector(".bar");
}

/** The enemy's turn is told move by move: paused, stepped, taken back, skipped to a summary whose lines light their hexes. */
async function enemys_turn(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sit(browser, { ...size, pace: 1 });
    const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "recruit" }, { seed: "story" });
    await enter(page, id, host);
    const waited = await page.evaluateHandle(() => {
      const seen = { words: "" };
      new MutationObserver(() => (seen.words ||= document.querySelector(".foot .patience b")?.innerText ?? "")).observe(document.body, { subtree: true, childList: true });
      return seen;
    });
    await endTurn(page);
    page.setDefaultTimeout(60_000);
    await myTurn(page);
    assert.match((await waited.jsonValue()).words, /^The Allies (are thinking|decide)/, "it is not said who is at work");
    await page.click('.bar [aria-label="Pause"]');
    for (let count = 0; count < 4; count++) await page.click('.bar [aria-label="One on"]');
    await page.waitForSelector(".trail, .fought", { state: "attached" }); // a level trail has no height, so that it would count as hidden
    const said = await page.innerText(".said");
    if (size === DESKTOP) assert.match(await page.innerText(".bar > .progress"), /^\d+ of \d+$/, "how far the story is cannot be read");
    await picture(page, `story-${size.viewport.width}`);
    await page.focus(".map");
    await page.keyboard.press("Shift+ArrowDown"); // a hand takes the map: it no longer goes where the story is
    await page.click(".bar >> text=Follow");
    await page.waitForSelector(".bar >> text=Follow", { state: "detached" });
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((said) => document.querySelector(".said").innerText !== said, said);
    assert.equal(await page.locator("[data-option]").count(), 0, "one can choose while the story is told");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".told dl");
    assert.match(await page.innerText(".told h2"), /^What the Allies (did|have done so far)/); // so far, where they attack and one is asked
    assert.match(await page.innerText(".told .lead"), /^The Allies (took|attacked|moved) .+\./, "the summary has no sentence to begin with");
    assert.match(await page.innerText(".prompt"), /What happened while you waited/, "a question is asked beside the summary");
    assert.match(await page.innerText(".told"), /\b(to (hold|cover|mass)|towards) /, "no move has a purpose");
    await picture(page, `summary-${size.viewport.width}`);
    await page.locator(".told li button").first().hover();
    await page.waitForSelector(".lit");
    assert.ok(await page.locator(".told .disc").count(), "the lines have no numbers");
    assert.ok(await page.locator(".map .disc").count(), "no number of a line lies on the map");
    const { scene } = await stateOf(page);
    const { phases } = await (await page.request.get(`${SERVER}api/games/the_bulge/look`)).json();
    const theirs = phases.find(({ step }) => step === scene.step)?.side === "Allied";
    // In the midst of the others' turn only a question waits.
    await page.click(`.foot .primary >> text=${theirs ? "To your decision" : "Begin your turn"}`);
    await page.waitForSelector(".told", { state: "detached" });
    assert.ok((await stateOf(page)).decision.mine);
    if (size === DESKTOP) await comeBack(page);
    assert.deepEqual(page.troubles, []);
  }
}

/** Whoever comes back after days is first told what matters, and can then have it played. */
async function comeBack(page) {
  await page.reload();
  await page.waitForSelector(".told h2 >> text=Since your last turn");
  assert.match(await page.innerText(".told .lead"), /^The Allies /);
  await page.click(".foot .primary >> text=Play their turn");
  await page.click(".foot .primary >> text=Skip to the summary");
  await page.waitForSelector(".told h2 >> text=/^What the Allies (did|have done so far)/"); // so far, where they attack and one is asked
}

/** The rules' own side is told too; and what changed can be looked at again at any time. */
async function the_rules_turn(browser) {
  const page = await sit(browser, { ...DESKTOP, pace: 4 });
  await manyDice(page);
  const { id, host } = await begin(page, "bastogne", {});
  await enter(page, id, host);
  await choosing(page, () => page.click('[data-option="as_planned"]'));
  for (let count = 0; count < 60 && !(await page.locator(".bar").count()); count++) {
    const { decision } = await stateOf(page);
    await take(page, decision.options.find(({ id, role }) => role || ["done", "hold", "roll", "plain", "0"].includes(id)) ?? decision.options[0], decision.kind);
    await page.waitForTimeout(200);
  }
  await page.waitForSelector(".bar");
  await fitsAPhone(page);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".told dl");
  await picture(page, "story-bastogne");
  await page.click(".foot .primary");
  await page.click('[aria-label="Menu"]');
  await page.click("dialog >> text=What changed since my last turn");
  await page.waitForSelector(".told");
  assert.deepEqual(page.troubles, []);
}

/** Whoever throws dice throws fourteen of them, as a large stack does. */
function manyDice(page) {
  return page.route(/\/told\//, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/"dice":\[(\d+)[^\]]*\]/g, (_, die) => `"dice":[${Array(14).fill(die)}]`);
    await route.fulfill({ response: answer, body });
  });
}

/** However many dice are thrown, what is told of them stays on the screen. */
async function fitsAPhone(page) {
  await page.setViewportSize(PHONE.viewport);
  const beats = await page.locator(".bar ol button").count();
  let dice = 0;
  for (let i = 0; i < beats; i++) {
    await page.locator(".bar ol button").nth(i).evaluate((button) => button.click());
    dice = Math.max(dice, await page.locator('.said svg[viewBox="-10 -10 20 20"]').count());
    const { x, width } = await page.locator(".said p").boundingBox();
    assert.ok(x + width <= PHONE.viewport.width && width > 120, "what is told runs off the screen");
  }
  assert.equal(dice, 14, "nobody threw many dice");
  await page.unrouteAll({ behavior: "wait" });
  await page.setViewportSize(DESKTOP.viewport);
}

/** What the dice brought stands over the battle, in words. */
async function result_in_place(browser) {
  const page = await sit(browser, { ...DESKTOP, pace: 4 });
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "random" }, { seed: "retreat" });
  await enter(page, id, host);
  for (const choice of ["0804", "62VG"]) await choosing(page, () => say(page, choice));
  await choosing(page, () => page.click(".foot .primary"));
  // The Allies choose where they retreat, or whatever else they may: that is part of one's own fight, and no story of its own.
  await myTurn(page);
  await page.waitForSelector(".verdict .plate");
  await page.waitForFunction(() => /^\s*DR The defenders retreat.* 423rd Infantry Regiment/.test(document.querySelector(".verdict")?.textContent ?? ""));
  assert.equal(await page.locator(".bar, .told").count(), 0, "an answer was told as if it were a turn");
  await page.waitForFunction(() => {
    const [plate, prompt] = [".verdict .plate", ".prompt"].map((what) => document.querySelector(what).getBoundingClientRect());
    return plate.top >= prompt.bottom && plate.height > 40 && plate.right <= document.querySelector(".map").getBoundingClientRect().right;
  });
  await picture(page, "verdict");
  assert.deepEqual(page.troubles, []);
}

async function say(page, id) {
  await page.keyboard.press("/");
  await page.fill("dialog input", id);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
}

/** The guided first game: from the lobby to the second turn, doing what the bubble says. */
async function guided_game(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sit(browser, { ...size, pace: 4 });
    await page.goto(SERVER);
    await page.click("[data-guided]");
    const step = (title) => page.waitForSelector(`.coach >> text=${title}`);
    await step("The town beyond the ford");
    await page.waitForSelector(".shown");
    await page.waitForSelector(".pin"); // gold rings are around all that can be chosen: what is meant has a pin
    await picture(page, `guide-${size.viewport.width}`);
    await page.click(".coach button.on");
    await step("A unit");
    const goTo = (goal) =>
      choosing(page, async () => {
        await clickSpace(page, goal, { touch: !!size.hasTouch });
        if (size.hasTouch) await clickSpace(page, goal, { touch: true });
      });
    await choosing(page, () => clickUnit(page, "B1"));
    await step("Where it can go");
    await goTo("0303");
    await step("Zones");
    await choosing(page, () => clickUnit(page, "B2"));
    await goTo("0202");
    await step("What comes next");
    for (let count = 0; count < 3 && (await stateOf(page)).scene.step !== "blue_fight"; count++) await choosing(page, () => page.click(".foot .primary"));
    await step("An attack");
    await choosing(page, () => clickSpace(page, "0203"));
    await step("The odds");
    await page.click(".coach >> text=Skip the lesson");
    await page.waitForSelector(".coach", { state: "detached" });
    assert.deepEqual(page.troubles, []);
  }
}

/** Every published game has a briefing that lights its places, and a guide that can be begun from it; O answers what can be done. */
async function briefing_and_guide(browser) {
  for (const [game, size] of [["the_bulge", { viewport: { width: 1366, height: 768 } }], ["bastogne", PHONE], ["enemy_action", DESKTOP], ["ardennes_offensive", DESKTOP], ["ardennes_44", DESKTOP]]) {
    const page = await sit(browser, size);
    const { id, host } = await begin(page, game, {});
    await enter(page, id, host);
    await page.click('[aria-label="Menu"]');
    await page.click("dialog >> text=Briefing");
    await page.waitForSelector("dialog >> text=What usually goes wrong");
    assert.ok((await page.locator("dialog li").count()) >= 7, `${game} says too little of itself`);
    if (game !== "bastogne" && game !== "ardennes_offensive") await page.waitForSelector("dialog circle", { state: "attached" });
    if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/briefing-${game}.png` });
    await page.click("[data-guide]");
    await page.waitForSelector(".coach h2");
    if (size === PHONE) await page.click(".tabs >> text=Log");
    await page.keyboard.press("o");
    await page.waitForSelector('dialog[aria-label="What can I do?"] li');
    if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/options-${game}.png` });
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.deepEqual(page.troubles, []);
    await leave(page.context());
  }
}

/** Whoever goes ahead of the guide is followed. */
async function guide_follows(browser) {
  const page = await sit(browser, { viewport: { width: 1366, height: 768 } });
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  await page.click('[aria-label="Menu"]');
  await page.click("dialog >> text=Briefing");
  await page.click("[data-guide]");
  await page.click(".coach button.on");
  await page.waitForSelector(".coach >> text=A thin line");
  await choosing(page, () => page.click('[data-option="done"]'));
  await page.waitForSelector(".coach >> text=Mechanized movement");
  assert.deepEqual(page.troubles, []);
}

export const cases = { guide_follows, briefing_and_guide, guided_game, enemys_turn, the_rules_turn, result_in_place };
