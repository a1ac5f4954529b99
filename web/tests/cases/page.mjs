import assert from "node:assert/strict";
import { PHONE, SERVER, begin, choosing, clickSpace, clickUnit, enter, myTurn, placeOf, sit, stateOf, take } from "../table.mjs";

const SIZES = [
  { viewport: { width: 1366, height: 768 } },
  { viewport: { width: 1440, height: 900 } },
  { viewport: { width: 1920, height: 1080 } },
  PHONE,
  { ...PHONE, viewport: { width: 360, height: 640 } },
];

/** The one place to act: there, whole, and on top. Where nothing leads, so are all ways on. */
async function primaryInView(page, where) {
  const ways = ".foot .primary, .foot .only button";
  await page.waitForSelector(ways);
  const seen = await page.evaluate((ways) => {
    const buttons = [...document.querySelectorAll(ways)];
    const boxes = buttons.map((button) => button.getBoundingClientRect());
    return {
      inside: boxes.every((box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth),
      open: boxes.every((box, i) => document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest("button") === buttons[i]),
      tall: Math.min(...boxes.map(({ height }) => height)),
    };
  }, ways);
  assert.ok(seen.inside && seen.open, `the primary action is not in sight: ${where}, ${JSON.stringify(seen)}`);
  assert.ok(seen.tall >= 44, `the primary action is too small: ${where}`);
}

/** In every question of a first turn, at every size, what leads is in the viewport and in one place. */
async function action_in_view(browser) {
  for (const size of SIZES) {
    const page = await sit(browser, size);
    const { width, height } = size.viewport;
    const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
    await enter(page, id, host);
    const at = async (what) => primaryInView(page, `${width}×${height}, ${what}`);
    await at("a combat phase");
    await say(page, "0503");
    await at("naming attackers");
    await say(page, "3FJ");
    await page.waitForSelector(".foot .odds");
    await at("with odds");
    await say(page, "attack");
    await at("a column");
    await choosing(page, () => page.click(".foot .primary"));
    for (let count = 0; count < 60; count++) {
      const { decision, result, scene } = await stateOf(page);
      if (result || scene.step === "allied_combat_1") break;
      await at(decision.prompt);
      await say(page, (decision.options.find(({ id }) => id === "done" || id === "stop") ?? decision.options[0]).id);
    }
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
}

/** The same in every game, through the questions of a first turn; the page is made larger and smaller at each. */
async function action_in_every_game(browser) {
  const games = await (await (await sit(browser)).request.get(`${SERVER}api/games`)).json();
  for (const { id: game } of games) {
    const page = await sit(browser, SIZES[0]);
    const { id, host } = await begin(page, game, {});
    await enter(page, id, host);
    for (let count = 0; count < 10; count++) {
      const { decision, result } = await stateOf(page);
      if (result) break;
      if (await page.locator(".curtain").count()) await page.click(".curtain button");
      for (const { viewport } of SIZES) {
        await page.setViewportSize(viewport);
        await page.waitForFunction((width) => innerWidth === width && !!document.querySelector(".tabs") === width <= 760, viewport.width);
        await primaryInView(page, `${game}, ${viewport.width}×${viewport.height}, ${decision.prompt}`);
      }
      const fresh = decision.options.filter(({ role }) => !role);
      await say(page, ((count % 3 ? fresh[0] : null) ?? decision.options.at(-1)).id);
    }
    if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/every-${game}.png` });
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
}

/** Where the pointer rests, the page tells what is there; W shows what a unit could do, and who could attack it. */
async function hover_and_threats(browser) {
  for (const size of [SIZES[0], PHONE]) {
    const page = await sit(browser, size);
    const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
    await enter(page, id, host);
    if (size === PHONE) {
      await clickSpace(page, "0502", { touch: true });
      await page.click(".unit [data-what-if]");
    } else {
      const { x, y } = await placeOf(page, "0503");
      await page.mouse.move(x, y);
      await page.waitForSelector(".peek >> text=/14th|106th|99th|Cavalry|Infantry/");
      await page.waitForSelector(".peek .ground");
      await page.keyboard.press("w");
    }
    await page.waitForSelector(".threat", { state: "attached" });
    await page.waitForSelector(".threats >> text=/against/");
    await page.waitForSelector(".threats >> text=/could (attack|be attacked)/");
    if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/threat-${size.viewport.width}.png` });
    await page.keyboard.press("Escape");
    await page.waitForSelector(".threat", { state: "detached" });
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
}

/** Make a choice without pointing at it, and wait until the page shows what follows. */
async function say(page, id) {
  const { n } = await stateOf(page);
  await page.evaluate(
    (id) =>
      new Promise((done) => {
        const [, , match, token] = location.hash.split("/");
        const socket = new WebSocket(new URL(`api/matches/${match}/live`, location.href).href.replace("http", "ws"), ["bulge", `token.${token}`]);
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.re === 1) socket.close(done(null));
          else if (message.type === "state") socket.send(JSON.stringify({ type: "choose", re: 1, n: message.n, rev: message.rev, id }));
        };
      }),
    id,
  );
  await page.waitForFunction((n) => Number(document.querySelector(".prompt")?.dataset.n) > n, n);
}

/** A hint that names a place twice is shown, and the page goes on. */
async function hint_in_bastogne(browser) {
  const page = await sit(browser);
  page.setDefaultTimeout(60_000);
  const { id, host } = await begin(page, "bastogne", {});
  await enter(page, id, host);
  await choosing(page, () => page.click('[data-option="as_planned"]'));
  for (let count = 0; count < 12; count++) {
    await page.click(".hint");
    await page.waitForSelector(".aside >> text=/Hint: /");
    await page.waitForSelector(".hint:not([disabled])");
    assert.deepEqual(page.troubles, []);
    await choosing(page, () => page.click(".aside >> text=Do it"));
    if ((await stateOf(page)).result) break;
    await myTurn(page);
  }
}

/** After a refusal, undo still works; after the line was down, nothing says that it still is. */
async function complaints_pass(browser) {
  const page = await sit(browser);
  let refuse = false;
  let cut = () => undefined;
  await page.routeWebSocket(/\/live/, (socket) => {
    const server = socket.connectToServer();
    cut = () => socket.close();
    socket.onMessage((text) => {
      const message = JSON.parse(text);
      if (refuse && message.type === "choose") socket.send(JSON.stringify({ type: "error", words: "that is refused", re: message.re }));
      else server.send(text);
    });
  });
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  await choosing(page, () => clickUnit(page, "B3"));
  refuse = true;
  const goal = (await stateOf(page)).decision.options.find(({ spaces }) => spaces.length).spaces[0];
  await clickSpace(page, goal);
  await page.waitForSelector(".bad >> text=that is refused");
  refuse = false;
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".prompt").dataset.n === "0");
  assert.equal(await page.locator(".bad").count(), 0);
  cut();
  await page.waitForSelector(".offline");
  await clickSpace(page, (await stateOf(page)).scene.pieces.find(({ unit }) => unit === "B3").space);
  await page.waitForSelector(".bad >> text=/line to the server is down/");
  await page.waitForSelector(".offline", { state: "detached" });
  await page.waitForSelector(".bad", { state: "detached" });
}

/** The headings of the table show a column; only the act at the foot rolls. */
async function columns_only_show(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  await choosing(page, () => clickSpace(page, "0503"));
  await choosing(page, () => clickUnit(page, "3FJ"));
  await choosing(page, () => page.locator('[data-option="attack"]').first().click());
  const { n, decision } = await stateOf(page);
  assert.match(decision.prompt, /column/);
  const headings = page.locator(".fight th button");
  await headings.first().click();
  await page.waitForTimeout(300);
  assert.equal((await stateOf(page)).n, n, "a heading rolled");
  const shown = await page.locator(".fight th.lit").innerText();
  await page.waitForSelector(`.foot .primary >> text=${shown}`);
  await choosing(page, () => page.click(".foot .primary"));
  assert.deepEqual(page.troubles, []);
}

/** What is new in the log is marked, and the mark is inside the list. */
async function news_are_marked(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "random" });
  await enter(page, id, host);
  await myTurn(page);
  for (let count = 0; count < 2; count++) await choosing(page, () => page.click('[data-option="done"]'));
  await page.waitForSelector(".log .new");
  const cut = await page.evaluate(() => {
    const [list, line] = [document.querySelector(".log ol"), document.querySelector(".log .new")];
    return line.getBoundingClientRect().left - 2 < list.getBoundingClientRect().left;
  });
  assert.equal(cut, false, "the mark of what is new is cut off");
}

/** During a move: another unit's card says nothing of the mover's cost, Escape gives up, and words fit the device. */
async function in_a_move(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  assert.doesNotMatch(await page.innerText(".rail"), /press long/i);
  await take(page, { id: "done", units: [], spaces: [] });
  const { n } = await stateOf(page);
  await choosing(page, () => clickUnit(page, "Lehr"));
  await page.waitForSelector(".reach-edge");
  const enemy = (await stateOf(page)).scene.pieces.find(({ unit }) => unit === "110");
  await clickSpace(page, enemy.space);
  await page.waitForSelector(".unit h2 >> text=/110th/");
  const goal = (await stateOf(page)).decision.options.find(({ cost }) => cost).spaces[0];
  const spot = await placeOf(page, goal);
  await page.mouse.move(spot.x, spot.y);
  await page.waitForSelector(".route");
  assert.equal(await page.locator(".unit p.cost").count(), 0, "the card of another unit shows the mover's cost");
  assert.doesNotMatch(await page.innerText(".prompt"), /Tap again/);
  await page.keyboard.press("Escape");
  await page.waitForFunction((n) => document.querySelector(".prompt")?.dataset.n === String(n), n);
  const phone = await sit(browser, PHONE);
  await enter(phone, id, host);
  assert.doesNotMatch(await phone.innerText("body"), /right-click|Alt-click/i);
  assert.deepEqual([...page.troubles, ...phone.troubles], []);
}

/** Removing a match from the list is asked about once, in place. */
async function removing_asks(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  await page.goto(SERVER);
  await page.click(".matches >> text=Remove");
  assert.equal(await page.locator(".matches li").count(), 1, "removed without a question");
  await page.click(".matches >> text=Keep it");
  await page.click(".matches >> text=Remove");
  await page.click(".matches >> text=Yes, remove");
  await page.waitForSelector(".matches li", { state: "detached" });
}

/** The lobby is up at once, says what is being drawn and how far, and weighs at most 400 kB. */
async function light_lobby(browser) {
  const page = await sit(browser);
  let weight = 0;
  page.on("response", async (answer) => (weight += (await answer.body().catch(() => "")).length));
  const sizes = [];
  page.on("requestfinished", async (request) => sizes.push((await request.sizes()).responseBodySize));
  await page.goto(SERVER);
  await page.waitForSelector("[data-quick]");
  await page.waitForFunction(() => [...document.querySelectorAll(".games img")].every((img) => img.complete));
  await page.waitForLoadState("networkidle");
  const sum = sizes.reduce((all, each) => all + each, 0);
  assert.ok(weight > 0 && sum <= 400_000, `the lobby weighs ${sum} bytes`);

  const early = await sit(browser);
  await early.route(/games\/drawings/, (route) => route.fulfill({ json: [{ game: "the_bulge", title: "The Bulge", percent: 45 }, { game: "ford", title: "The Ford", percent: 0 }] }));
  await early.goto(SERVER);
  await early.waitForSelector("text=The map is being drawn");
  await early.waitForSelector('[data-quick="ford/Blue"]');
  assert.equal(await early.locator(".games img").count(), 0, "a picture is waited for that is not drawn yet");
  assert.deepEqual([...page.troubles, ...early.troubles], []);
}

/** Keys do what their sheet says; what is set in the settings stays. */
async function keys_and_settings(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog >> text=this sheet");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.keyboard.press("m");
  await page.waitForSelector('.layers [aria-pressed="true"] >> text=Zones of control');
  await page.waitForSelector(".wash");
  await page.keyboard.press("n");
  await page.waitForSelector(".looked");
  await choosing(page, () => clickUnit(page, "B3"));
  await page.keyboard.press("z");
  await page.waitForFunction(() => document.querySelector(".prompt").dataset.n === "0");
  await choosing(page, () => page.keyboard.press("y"));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector(".prompt").dataset.n === "0");
  await choosing(page, () => page.keyboard.press("e"));
  await page.click('[aria-label="Menu"]');
  await page.click("dialog >> text=Settings");
  await page.click('[data-switch="leftHanded"]');
  await page.click("dialog >> text=4×");
  await page.keyboard.press("Escape");
  const left = () => page.evaluate(() => document.querySelector(".rail").getBoundingClientRect().left);
  assert.equal(await left(), 0, "the panels are not on the left");
  await page.reload();
  await page.waitForSelector(".rail", { state: "attached" });
  assert.equal(await left(), 0, "the setting was forgotten");
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("bulge.settings")).pace), 4);
  assert.deepEqual(page.troubles, []);
}

export const cases = { hover_and_threats, action_in_every_game, light_lobby, keys_and_settings, action_in_view, hint_in_bastogne, complaints_pass, columns_only_show, news_are_marked, in_a_move, removing_asks };
