import assert from "node:assert/strict";
import { PHONE, begin, choosing, clickSpace, clickUnit, enter, pieceAt, placeOf, played, sit, sitAt, stateOf, take } from "../table.mjs";

const DESKTOP = { viewport: { width: 1366, height: 768 } };
/** Where in the kept game what is wanted here is asked. */
const MOVEMENT = { n: 262, prompt: /Move a unit/ };
const COMBAT = { n: 673, prompt: /Attack a hex/ };
const BRIDGES = { n: 951, prompt: /Blow a bridge/ };
const GUNS = { n: 256, prompt: /Make artillery ready/ };
const NIGHT = { n: 914, prompt: /marked for the night/ };
/** In the Allied combat before that night. */
const AFTERNOON = 880;
/** Two units of the 99th Division are hemmed in. */
const HEMMED_IN = { n: 2290, prompt: /Move a unit/ };
/** The same question in other games; in that of The Ardennes Offensive the 33rd is hemmed in. */
const BULGE = { game: played("the_bulge-by-hand-2"), n: 20, prompt: /Move a unit/ };
const OFFENSIVE = { game: played("ardennes_offensive-greedy-1"), n: 5110, prompt: /Move a unit/ };
/** The Germans have two batteries for a defence. */
const DEFENCE = { n: 242, prompt: /Do guns support the defence/ };
const LATE_COMBAT = { n: 2364, prompt: /Attack a hex/ };

/** Guns that may fire for the defence stand with the defenders, not with those whom they fire at. */
async function guns_of_the_defence(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sitAt(browser, size, DEFENCE);
    const [attackers, defenders] = [0, 1].map((side) => page.locator(".fight .faces").nth(side));
    await defenders.locator("button").first().waitFor();
    assert.deepEqual(await defenders.locator("button .unseen").allTextContents(), ["LXVII 405 artillery", "LXVII 17 Werfer"]);
    assert.equal(await attackers.locator(".chip, svg").count(), 2, "somebody stands with the attackers who does not attack");
    await choosing(page, () => defenders.locator("button").first().click());
    assert.deepEqual(page.troubles, []);
  }
}

/** Where a unit can go in each way of moving, by one key; a hex that only a march in column reaches, by one click. */
async function ways_of_moving(browser) {
  const page = await sitAt(browser, DESKTOP, MOVEMENT);
  await choosing(page, () => clickUnit(page, "1SS/1"));
  await page.waitForSelector(".manners >> text=strategic");
  const all = await page.locator("text.cost").count();
  const shown = [];
  for (const manner of ["as usual", "strategic", "tactical"]) {
    await page.keyboard.press("r");
    await page.waitForSelector(`.manners [aria-pressed="true"] >> text=${manner}`);
    shown.push(await page.locator("text.cost").count());
  }
  assert.equal(shown.reduce((sum, each) => sum + each, 0), all, `ways of moving show ${shown} of ${all} hexes`);
  await page.keyboard.press("r");
  await page.waitForSelector('.manners [aria-pressed="true"]', { state: "detached" });
  await page.waitForSelector(".foot .primary >> text=Stay here");
  const { n } = await stateOf(page);
  await choosing(page, () => clickSpace(page, "E1627"));
  assert.ok((await stateOf(page)).n > n + 1, "the march was not made");
  await page.waitForSelector('[data-unit="1SS/1"][data-space="E1627"]');
  await choosing(page, () => page.click(".foot .primary"));
  assert.equal(await pieceAt(page, "1SS/1"), "E1627");
  assert.deepEqual(page.troubles, []);
}

/** A battle is declared by pointing at a hex: odds at once, all who may join by one click, and back by one undo. */
async function declare_a_battle(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sitAt(browser, size, COMBAT);
    await choosing(page, () => clickSpace(page, "E1432"));
    await page.waitForSelector(".foot .odds");
    const before = (await stateOf(page)).n;
    await choosing(page, () => page.click("[data-together]"));
    await page.waitForSelector(".foot .primary.risk >> text=Attack");
    const { decision, n } = await stateOf(page);
    assert.equal(decision.about.units.length, n - before);
    assert.ok(n - before > 2, "only one joined");
    await choosing(page, () => page.click('.foot [aria-label="Undo"]'));
    await page.waitForFunction((n) => document.querySelector(".prompt").dataset.n === String(n), before);
    assert.deepEqual(page.troubles, []);
  }
}

/** A bridge is pointed at on the map, and blown by a click of its own. */
async function blow_a_bridge(browser) {
  const page = await sitAt(browser, DESKTOP, BRIDGES);
  const { decision } = await stateOf(page);
  const [bridge] = decision.options.filter(({ sides }) => sides.length);
  await take(page, bridge, decision.kind);
  await page.waitForSelector(".log >> text=/The bridge .* (is gone|stands)/");
  assert.deepEqual(page.troubles, []);
}

/** A marker may lie in any hex, and hexes that come by name alone are drawn and chosen as all others: by one click. */
async function lay_a_marker(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sit(browser, size);
    const { id, host } = await begin(page, "ardennes_44", { German: "human", Allied: "human" }, { scenario: "S4" });
    await enter(page, id, host);
    const { decision } = await stateOf(page);
    assert.match(decision.prompt, /Lay Traffic marker 1/);
    await page.waitForSelector("path.reach", { state: "attached" });
    await page.waitForSelector(`text=${decision.bare.length} places can still be chosen`, { state: "attached" });
    await choosing(page, () => clickSpace(page, "E2525"));
    const { scene } = await stateOf(page);
    assert.deepEqual(scene.marks.filter(({ kind }) => kind === "traffic").map(({ space }) => space), ["E2525"]);
    await page.waitForSelector(".prompt >> text=Lay Traffic marker 2");
    assert.deepEqual(page.troubles, []);
  }
}

/** What a counter is called stands in full beside its size, whatever both are. */
async function ids_beside_sizes(browser) {
  const page = await sitAt(browser, DESKTOP, LATE_COMBAT);
  const gaps = await page.locator(".counter").evaluateAll((counters) =>
    counters.map((counter) => {
      const [id, size] = [...counter.querySelectorAll("text.id")].map((text) => text.getBBox());
      return { words: counter.textContent.replace(/\s+/g, " "), gap: size.width ? size.x - id.x - id.width : 31 - id.x - id.width };
    }),
  );
  assert.ok(gaps.some(({ words }) => words.includes("Lehr/PzIV")), "no long name was tried");
  assert.deepEqual(gaps.filter(({ gap }) => gap < 1 || gap > 40), [], "names run into sizes");
  assert.deepEqual(page.troubles, []);
}

/** A hex tells in words what lies in it: under the pointer, on its card, and to whoever types. */
async function markers_in_words(browser) {
  const page = await sitAt(browser, DESKTOP, BRIDGES);
  const { scene } = await stateOf(page);
  const jammed = scene.marks.find(({ kind, space }) => kind === "traffic" && !scene.pieces.some((piece) => piece.space === space));
  const { x, y } = await placeOf(page, jammed.space);
  await page.mouse.move(x, y);
  await page.waitForSelector(`.peek >> text=${jammed.words}`);
  await clickSpace(page, jammed.space);
  await page.waitForSelector(`.card.unit >> text=${jammed.words}`);
  const held = scene.marks.find(({ kind, space }) => kind === "improved" && scene.pieces.some((piece) => piece.space === space));
  await clickSpace(page, held.space);
  await page.waitForSelector(`.card.unit >> text=${held.words}`);
  await page.keyboard.press("/");
  await page.fill("dialog input", `what is in ${jammed.space}`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`dialog >> text=${jammed.words}`);
  assert.deepEqual(page.troubles, []);
}

/** What befell units below the top of a stack is seen while it is shut, and said of it. */
async function states_below_the_top(browser) {
  const page = await sitAt(browser, DESKTOP, LATE_COMBAT);
  const { scene } = await stateOf(page);
  const stack = scene.pieces.filter(({ space }) => space === "E1929");
  const [top, lowest] = stack;
  assert.deepEqual([top.flags, lowest.flags], [[], ["disrupted"]], "another stack is wanted");
  await placeOf(page, top.space);
  assert.equal(await page.locator(`[data-unit="${top.unit}"] .below`).count(), 1);
  const { x, y } = await placeOf(page, top.space);
  await page.mouse.move(x, y);
  await page.waitForSelector(".peek >> text=/Rec.*disrupted/");
  await clickSpace(page, top.space);
  await page.waitForSelector("rect.plate", { state: "attached" });
  assert.equal(await page.locator(`[data-unit="${top.unit}"] .below`).count(), 0, "an open stack hides nothing");
  assert.match(await page.getAttribute(`[data-stacked="${lowest.unit}"]`, "title"), /disrupted/);
  assert.deepEqual(page.troubles, []);
}

/** The map looks like night in a phase of the night, also while the day before it is told or looked at; and it is said. */
async function night_and_day(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sitAt(browser, size, NIGHT);
    await page.waitForSelector(".map.at-night");
    await page.waitForSelector(".game >> text=at night");
    await page.evaluate((told) => {
      const [, , match] = location.hash.split("/");
      localStorage.setItem("bulge.seen", JSON.stringify({ [`${match} German told`]: told }));
      const settings = JSON.parse(localStorage.getItem("bulge.settings"));
      localStorage.setItem("bulge.settings", JSON.stringify({ ...settings, pace: 1 })); // without any, all is told in a blink
    }, AFTERNOON);
    await page.reload();
    await page.waitForSelector(".map.at-night");
    await page.click('[aria-label="Menu"]');
    await page.click("dialog >> text=What changed since");
    await page.waitForSelector(".bar");
    await page.waitForSelector(".map:not(.at-night)");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".map.at-night");
    await page.keyboard.press("Escape");
    await page.click('[aria-label="Menu"]');
    await page.click("dialog >> text=Replay");
    await page.locator(".replay input").fill(String(MOVEMENT.n));
    await page.waitForSelector(".map:not(.at-night)");
    assert.equal(await page.locator(".game >> text=at night").count(), 0);
    assert.deepEqual(page.troubles, []);
  }
}

/** Who has neither moved nor been told to stay is counted before movement ends; once more, by key or click, goes on. */
async function end_of_movement(browser) {
  const page = await sitAt(browser, DESKTOP, NIGHT);
  const sure = (count) => page.waitForSelector(`.sure >> text=${count} have neither moved nor been told to stay`);
  const { n } = await stateOf(page);
  await page.keyboard.press("e");
  await sure("4 units");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".sure", { state: "detached" });
  await choosing(page, () => clickUnit(page, "1SS/501"));
  await choosing(page, () => page.click(".foot .primary >> text=Stay here"));
  assert.equal((await stateOf(page)).n, n + 2);
  await page.click(".foot .primary");
  await sure("3 units");
  await choosing(page, () => page.keyboard.press("Enter"));
  assert.equal((await stateOf(page)).scene.step, "german_night_combat");

  const bridges = await sitAt(browser, PHONE, BRIDGES);
  await choosing(bridges, () => bridges.tap(".foot .primary"));
  const moving = await sitAt(browser, PHONE, MOVEMENT);
  await moving.tap(".foot .primary");
  await moving.waitForSelector(".sure");
  await choosing(moving, () => moving.tap(".foot .primary"));
  assert.deepEqual([...page.troubles, ...bridges.troubles, ...moving.troubles], []);
}

/** Other games ask too before movement ends, and only once. */
async function end_of_movement_elsewhere(browser) {
  for (const kept of [BULGE, OFFENSIVE]) {
    for (const size of [DESKTOP, PHONE]) {
      const page = await sitAt(browser, size, kept);
      const { scene } = await stateOf(page);
      await page.click(".foot .primary");
      await page.waitForSelector(".sure >> text=/units have neither moved nor been told to stay/");
      await choosing(page, () => page.click(".foot .primary"));
      assert.notEqual((await stateOf(page)).scene.step, scene.step);
      assert.deepEqual(page.troubles, []);
    }
  }
}

/** Who is hemmed in is neither marked nor counted, and the next key passes by; it can be chosen all the same. */
async function hemmed_in(browser) {
  for (const [kept, unit] of [[HEMMED_IN, "99/394"], [OFFENSIVE, "33Pz"]]) {
    const page = await sitAt(browser, DESKTOP, kept);
    const { decision, scene } = await stateOf(page);
    const on = new Map(scene.pieces.map((piece) => [piece.unit, piece.space]));
    const { words } = decision.options.find(({ id }) => id === unit);
    assert.match(words, /hemmed in, it can only stay$/);
    const ready = decision.options.filter(({ role, units }) => role === "" && on.has(units[0])).map(({ units }) => units[0]);
    await page.waitForSelector(`.counter.offered[data-unit="${ready[0]}"]`, { state: "attached" });
    assert.equal(await page.locator(`.counter.offered[data-unit="${unit}"]`).count(), 0, `${unit} is marked`);
    await page.keyboard.press("e");
    await page.waitForSelector(`.sure >> text=${ready.length} units have neither`);
    await page.keyboard.press("Escape");
    const places = new Set(ready.map((each) => on.get(each)));
    const shown = new Set();
    for (let i = 0; i <= places.size; i++) {
      await page.keyboard.press("n");
      shown.add(await page.locator(".card.unit h2").evaluate((title) => (title.querySelector("small") ?? title).textContent.trim()));
    }
    assert.deepEqual([...shown].sort(), [...places].sort());
    assert.deepEqual(page.troubles, []);
  }
}

/** A step without a name of its own lights the phase that it belongs to, in the bar and above the question. */
async function step_without_a_name(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sitAt(browser, size, GUNS);
    assert.equal((await stateOf(page)).scene.step, "german_guns");
    await page.waitForSelector('.phases [aria-current="step"] >> text=Artillery supply', { state: "attached" });
    await page.waitForSelector('.prompt[aria-label="German artillery supply"]');
    assert.deepEqual(page.troubles, []);
  }
}

/** Dice are shown beside the map, which stays as it is: no counter lies under them. */
async function dice_beside_the_map(browser) {
  for (const size of [DESKTOP, PHONE]) {
    const page = await sitAt(browser, size, BRIDGES);
    const frame = () => page.locator(".map").boundingBox();
    const { decision } = await stateOf(page);
    const before = await frame();
    await choosing(page, () => page.click(`[data-option="${decision.options[0].id}"]`));
    await page.waitForSelector(".tray svg");
    assert.deepEqual(await frame(), before, "the map has given way");
    const [tray, rail] = [await page.locator(".tray").boundingBox(), await page.locator(".rail").boundingBox()];
    assert.ok(tray.x >= rail.x && tray.y >= rail.y, "dice lie on the map");
    assert.deepEqual(page.troubles, []);
  }
}

export const cases = { guns_of_the_defence, ways_of_moving, declare_a_battle, blow_a_bridge, lay_a_marker, ids_beside_sizes, markers_in_words, states_below_the_top, night_and_day, end_of_movement, end_of_movement_elsewhere, hemmed_in, step_without_a_name, dice_beside_the_map };
