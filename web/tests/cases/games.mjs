import assert from "node:assert/strict";
import { SERVER, begin, choosing, clickSpace, clickUnit, enter, myTurn, pieceAt, sit, stateOf, take } from "../table.mjs";

const ENDS = ["done", "stop", "hold", "roll", "plain", "keep_intelligence", "0"];

/** Choose by clicks until the second day: a few moves and attacks, and otherwise whatever comes to an end. */
async function playDay(page, { moves, attacks }) {
  const met = { moves: new Set(), attacks: 0, prompts: new Set() };
  for (let count = 0; count < 250; count++) {
    const { scene, decision, result } = await myTurn(page);
    if (result || scene.turn > 1) break;
    met.prompts.add(scene.step);
    const { options, kind, top } = decision;
    const end = options.find(({ id }) => ENDS.includes(id));
    let choice = end ?? options[0];
    const unit = options.find(({ units }) => units.length && !met.moves.has(units[0]));
    if (top && kind === "unit" && unit && met.moves.size < moves) met.moves.add((choice = unit).units[0]);
    if (top && kind === "space" && met.attacks < attacks && options[0].spaces.length) [choice, met.attacks] = [options[0], met.attacks + 1];
    if (!top && kind === "space" && options[0].cost !== null) choice = options[0];
    if (/go next/.test(decision.prompt) && end && met.walked === decision.about.units[0]) choice = end;
    if (/go next/.test(decision.prompt)) met.walked = decision.about.units[0];
    await take(page, choice, kind);
  }
  const { scene, result } = await stateOf(page);
  assert.ok(result || scene.turn === 2, "the first day did not end");
  return met;
}

/** Bastogne: it is in the lobby; set-up as planned, missions, the German assault, and on to the second day. */
async function bastogne_first_turn(browser) {
  const page = await sit(browser);
  await page.goto(SERVER);
  await page.click('[data-quick="bastogne/US"]');
  await page.waitForSelector(".counter");
  const { id, host } = await begin(page, "bastogne", {}, { seed: "first day" });
  await enter(page, id, host);
  await myTurn(page);
  await page.waitForSelector("text.box >> text=Reserve");
  await choosing(page, () => page.click('[data-option="1-501"]'));
  await choosing(page, () => clickSpace(page, "N1"));
  assert.equal(await pieceAt(page, "1-501"), "N1");
  for (let count = 0; count < 2; count++) await choosing(page, () => page.keyboard.press("Control+z"));
  await choosing(page, () => page.click('[data-option="as_planned"]'));
  const { prompts } = await playDay(page, { moves: 3, attacks: 1 });
  assert.ok(prompts.has("us_movement"), "nobody was asked to move");
  assert.deepEqual(page.troubles, []);
}

/** The Ardennes Offensive against the computer: reinforcements, attacks, mechanized movement, the second day. */
async function offensive_first_turn(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ardennes_offensive", { German: "human", Allied: "random" }, { seed: "first day" });
  await enter(page, id, host);
  const { moves, attacks } = await playDay(page, { moves: 3, attacks: 2 });
  assert.ok(moves.size && attacks, "nobody moved, or nobody attacked");
  await page.waitForSelector(".log >> text=Turn 2, 17 December");
  assert.deepEqual(page.troubles, []);
}

/** The Allies attack on a table of their own; and a unit on its way says what it has left. */
async function offensive_tables_and_points(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ardennes_offensive", { German: "random", Allied: "human" });
  await enter(page, id, host);
  let state = await myTurn(page);
  for (let count = 0; count < 120 && !(state.scene.step === "allied_combat" && state.decision.top); count++) {
    const { kind, options } = state.decision;
    // The phase does not end before those who must come on have done so.
    await take(page, options.find(({ id }) => ENDS.includes(id)) ?? options.find(({ words }) => /arriving/.test(words)) ?? options[0], kind);
    state = await myTurn(page);
  }
  await choosing(page, () => clickSpace(page, state.decision.options[0].spaces[0]));
  for (let count = 0; count < 5 && (await stateOf(page)).decision.rule === "9.2D"; count++) await choosing(page, () => page.click('[data-option="done"]'));
  await page.waitForSelector(".fight >> text=Standard table");
  for (let count = 0; count < 5 && !(await stateOf(page)).decision.top; count++) await choosing(page, () => page.keyboard.press("Control+z"));
  await choosing(page, () => page.click('[data-option="done"]'));
  state = await myTurn(page);
  assert.equal(state.scene.step, "allied_mechanized");
  await take(page, state.decision.options[0]);
  await page.waitForSelector(".prompt >> text=/12 movement points left/");
  assert.deepEqual(page.troubles, []);
}

/** Free set-up by clicks: a unit, then where it starts; and undo. */
async function free_set_up(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ardennes_offensive", { German: "random", Allied: "human" }, { scenario: "4" });
  await enter(page, id, host);
  await myTurn(page);
  const home = await pieceAt(page, "422Inf");
  await choosing(page, () => clickUnit(page, "422Inf"));
  const { decision } = await stateOf(page);
  await page.waitForSelector("path.offered, path.reach");
  const goal = decision.options.find(({ spaces }) => spaces.length && spaces[0] !== home).spaces[0];
  await choosing(page, () => clickSpace(page, goal));
  assert.equal(await pieceAt(page, "422Inf"), goal);
  await choosing(page, () => page.keyboard.press("Control+z"));
  assert.equal(await pieceAt(page, "422Inf"), home);
  assert.deepEqual(page.troubles, []);
}

/** A shared command: in its scenario every commander has a seat in the lobby. */
async function shared_command(browser) {
  const page = await sit(browser);
  await page.goto(SERVER);
  await page.click('[data-setup="bastogne"]');
  await page.selectOption("select", { label: "The siege, several commanders" });
  assert.equal(await page.locator("[data-seat]").count(), 6);
  await page.click('[data-begin="bastogne"]');
  await page.waitForSelector(".counter");
  const { decision, seats } = await myTurn(page);
  assert.equal(Object.keys(seats).length, 6);
  assert.ok(decision.mine);
  assert.deepEqual(page.troubles, []);
}

/** What a game leaves to its players is chosen in the lobby, and the match is set up so. */
async function declared_options(browser) {
  const page = await sit(browser);
  await page.goto(SERVER);
  await page.click('[data-setup="ford"]');
  await page.click("summary >> text=Optional rules");
  await page.selectOption('[data-option="breakthrough"]', "yes");
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/api/matches")),
    page.click('[data-begin="ford"]'),
  ]);
  assert.deepEqual(request.postDataJSON().options, { breakthrough: "yes" });
  await page.waitForSelector(".counter");
  assert.deepEqual(page.troubles, []);
}

/** Two people before one screen, with secrets: between them the board is hidden. */
async function curtain(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await page.goto(`${SERVER}#/match/${id}/${host}`);
  await page.waitForSelector(".curtain >> text=Pass the screen to Blue");
  assert.equal(await page.locator(".log").isVisible(), false, "the log shows through the curtain");
  assert.doesNotMatch(await page.innerText("body"), /chit/);
  await page.click(".curtain button");
  await page.waitForSelector("text=/Blue holds a support chit that counts/");
  for (let count = 0; count < 60; count++) {
    const { decision } = await stateOf(page);
    if (decision.side === "Red") break;
    await take(page, decision.options.find(({ id }) => ENDS.includes(id)) ?? decision.options.at(-1), decision.kind);
  }
  await page.waitForSelector(".curtain >> text=Pass the screen to Red");
  assert.doesNotMatch(await page.innerText("body"), /chit/);
  assert.deepEqual(page.troubles, []);
}

/** Where cards lie at the foot of the map, the list of overlays is not covered by them. */
async function layers_beside_cards(browser) {
  const page = await sit(browser, { viewport: { width: 1366, height: 768 } });
  const { id, host } = await begin(page, "enemy_action", {});
  await enter(page, id, host);
  await page.click(".layers .more");
  await page.waitForSelector(".layers.open .layer");
  const covered = await page.evaluate(() =>
    [...document.querySelectorAll(".layers .layer")].filter((layer) => {
      const { x, y, width, height } = layer.getBoundingClientRect();
      return !document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".layers");
    }).length,
  );
  assert.equal(covered, 0);
  assert.deepEqual(page.troubles, []);
}

/** A unit that was named for an attack is left out of it again by another click, and the others stay. */
async function leave_out(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  await choosing(page, () => clickSpace(page, "0503"));
  const named = (await stateOf(page)).decision.options.flatMap(({ units }) => units).slice(0, 2);
  for (const unit of named) await choosing(page, () => clickUnit(page, unit));
  assert.deepEqual((await stateOf(page)).decision.about.units, named);
  await page.waitForSelector(".fight .faces button");
  await clickUnit(page, named[0]);
  const left = async () => (await stateOf(page)).decision.about?.units.join();
  for (let count = 0; count < 100 && (await left()) !== named[1]; count++) await page.waitForTimeout(50);
  assert.equal(await left(), named[1]);
  assert.deepEqual(page.troubles, []);
}

/** A hint, and what the computer had in mind. */
async function hint_and_reasons(browser) {
  const page = await sit(browser);
  page.setDefaultTimeout(90_000);
  const { id, host } = await begin(page, "the_bulge", { German: "recruit", Allied: "human" });
  await enter(page, id, host);
  await page.click(".reasons");
  await page.waitForSelector(".log .why >> text=/Because/");
  const mine = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, mine.id, mine.host);
  await page.click(".hint");
  await page.waitForSelector(".aside >> text=/Hint: /");
  assert.deepEqual(page.troubles, []);
}

export const cases = { bastogne_first_turn, offensive_first_turn, offensive_tables_and_points, free_set_up, shared_command,
  declared_options, curtain, layers_beside_cards, leave_out, hint_and_reasons };
