import assert from "node:assert/strict";
import { DESKTOP, PHONE, SERVER, begin, choosing, clickSpace, clickUnit, enter, leave, myTurn, placeOf, sit, stateOf, take } from "../table.mjs";

const SIZES = [
  { viewport: { width: 1366, height: 768 } },
  { viewport: { width: 1440, height: 900 } },
  { viewport: { width: 1920, height: 1080 } },
  PHONE,
  { ...PHONE, viewport: { width: 360, height: 640 } },
];

/** The one place to act: there, whole, on top and large enough. Where nothing leads, so are all ways on. */
async function primaryInView(page, { width }, where) {
  const isSound = (width) => {
    const buttons = [...document.querySelectorAll(".foot .primary, .foot .only button")];
    const boxes = buttons.map((button) => button.getBoundingClientRect());
    window.looks = {
      drawn: innerWidth === width && !!document.querySelector(".tabs") === width <= 760 && buttons.length > 0,
      inside: boxes.every((box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth),
      open: boxes.every((box, i) => document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest("button") === buttons[i]),
      tall: boxes.every(({ height }) => height >= 44),
    };
    return Object.values(window.looks).every(Boolean);
  };
  await page.waitForFunction(isSound, width).catch(async () => {
    assert.fail(`the primary action is not in sight, or too small: ${where}, ${JSON.stringify(await page.evaluate(() => window.looks))}`);
  });
}

/** In every kind of question of a whole turn of both sides of every game, what leads is in the viewport and in one place, at every size. */
async function action_in_every_game(browser) {
  const games = await (await (await sit(browser)).request.get(`${SERVER}api/games`)).json();
  for (const { id: game } of games) {
    const page = await sit(browser, SIZES[0]);
    const { id, host } = await begin(page, game, {});
    await enter(page, id, host);
    await page.addStyleTag({ content: ".layer { display: none !important }" }); // a map that is not painted is resized at once
    const kinds = {};
    const sizes = [...SIZES];
    const device = await page.context().newCDPSession(page); // without moving a window about it
    let state;
    while ((state = await toNewQuestion(page, kinds)).decision) {
      await page.waitForFunction((n) => document.querySelector(".prompt")?.dataset.n === String(n), state.n);
      if (await page.locator(".curtain").count()) await page.click(".curtain button");
      for (const { viewport } of sizes) {
        await device.send("Emulation.setDeviceMetricsOverride", { ...viewport, deviceScaleFactor: 1, mobile: false });
        await primaryInView(page, viewport, `${game}, ${viewport.width}×${viewport.height}, ${state.decision.prompt}`);
      }
      sizes.reverse(); // the last size of one question is the first of the next
    }
    console.log(`        ${game}: ${Object.keys(kinds).length} kinds of questions in ${state.n} choices`);
    if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/every-${game}.png` });
    assert.deepEqual(page.troubles, []);
    await leave(page.context());
  }
}

/**
 * Choose, until a question comes whose kind is not among these, or the second turn has begun. What comes the first time
 * is answered by its first option, the second time by its last one, and then by what ends it.
 */
function toNewQuestion(page, kinds) {
  return page
    .evaluate(
      (kinds) =>
        new Promise((found) => {
          const [, , match, token] = location.hash.split("/");
          const socket = new WebSocket(new URL(`api/matches/${match}/live`, location.href).href.replace("http", "ws"), ["bulge", `token.${token}`]);
          socket.onmessage = ({ data }) => {
            const message = JSON.parse(data);
            if (message.type !== "state") return;
            const { decision, n, rev, scene } = message;
            const over = !decision || scene.turn > 1 || n > 900;
            const kind = decision && `${scene.step} ${decision.kind} ${decision.prompt.replace(/[\dA-Z][^ ]*/g, "")}`;
            if (over || !(kind in kinds)) {
              if (!over) kinds[kind] = 0;
              socket.close();
              found({ kinds, n, decision: over ? null : decision });
              return;
            }
            const often = kinds[kind]++;
            const { options, bare } = decision;
            const end = options.find(({ role }) => role.startsWith("end"));
            const fresh = options.filter(({ role }) => !role);
            const id = (often === 0 ? fresh[0] : often === 1 ? fresh.at(-1) : end)?.id ?? bare[0] ?? options.at(-1).id;
            socket.send(JSON.stringify({ type: "choose", re: n, n, rev, id }));
          };
        }),
      kinds,
    )
    .then((state) => Object.assign(kinds, state.kinds) && state);
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
      assert.match(await page.innerText(".peek .figures"), /strength \d+, movement \d+/i, "a unit does not say its strength and movement");
      await page.keyboard.press("w");
    }
    await page.waitForSelector(".threat", { state: "attached" });
    await page.waitForSelector(".threats >> text=/against/");
    await page.waitForSelector(".threats >> text=/could (attack|be attacked)/");
    if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/threat-${size.viewport.width}.png` });
    await page.keyboard.press("Escape");
    await page.waitForSelector(".threat", { state: "detached" });
    assert.deepEqual(page.troubles, []);
    await leave(page.context());
  }
  // Where cards decide who moves, it says so with the rule.
  const page = await sit(browser);
  const { id, host } = await begin(page, "enemy_action", {});
  await enter(page, id, host);
  await clickSpace(page, (await stateOf(page)).scene.pieces.find(({ unit }) => unit.startsWith("277")).space);
  await page.click(".unit [data-what-if]");
  await page.waitForSelector(".threats >> text=/next German card \\(9.0\\)/");
  assert.deepEqual(page.troubles, []);
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
  let down = false; // until it is mended, the line goes down again at once
  let cut = () => undefined;
  await page.routeWebSocket(/\/live/, (socket) => {
    if (down) return void socket.close();
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
  down = true;
  cut();
  await page.waitForSelector(".offline");
  await clickSpace(page, (await stateOf(page)).scene.pieces.find(({ unit }) => unit === "B3").space);
  await page.waitForSelector(".bad >> text=/line to the server is down/");
  down = false;
  await page.waitForSelector(".offline", { state: "detached" });
  await page.waitForSelector(".bad", { state: "detached" });
}

/** The headings of the table show a column; only the act at the foot rolls. */
async function columns_only_show(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  await choosing(page, () => clickSpace(page, "0503"));
  await choosing(page, () => page.keyboard.press("Enter")); // the map has the focus; what leads is taken all the same
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

/** Every result code says what it means: under the pointer, with the focus, and by a tap. */
async function result_words(browser) {
  for (const size of [SIZES[0], PHONE]) {
    const page = await sit(browser, size);
    const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
    await enter(page, id, host);
    for (const choice of ["0503", "3FJ"]) await say(page, choice);
    const code = page.locator(".foot .legend button").first();
    const told = (what) => page.waitForSelector(`.meaning >> text=${what}`);
    const meant = (await code.getAttribute("aria-label")).split(": ")[1];
    if (size === PHONE) {
      await code.tap();
      await told(meant);
      await page.locator(".strip [data-result=AS]").first().tap();
      await told("The attack stalls");
    } else {
      await code.hover();
      await told(meant);
      await page.locator(".fight td[data-result=AE]").first().hover();
      await told("Every attacker loses");
      await page.mouse.move(300, 400);
      await page.waitForSelector(".meaning", { state: "detached" });
      await code.focus();
      await told(meant);
    }
    assert.deepEqual(page.troubles, []);
  }
}

/** On a phone a list of choices is in sight, numbers are buttons of their own, and who can be named in a box or tray is ringed. */
async function lists_on_a_phone(browser) {
  const page = await sit(browser, PHONE);
  const { id, host } = await begin(page, "bastogne", {}, { seed: "a list" });
  await enter(page, id, host);
  const seen = new Set();
  for (let count = 0; count < 150 && seen.size < 3; count++) {
    const { decision } = await stateOf(page);
    if (decision.kind === "number" && /^How many/.test(decision.prompt)) {
      await page.waitForSelector(".numbers.only button");
      assert.equal(await page.locator(".foot .primary").count(), 0, "one of the numbers leads");
      seen.add("numbers");
    } else if (/interdict\?$/.test(decision.prompt)) {
      await page.waitForSelector(".sheet .row");
      const open = await page.evaluate(() => [...document.querySelectorAll(".sheet .row")].slice(0, 3).every((row) => {
        const { left, top, width, height } = row.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".row") === row;
      }));
      assert.ok(open, "the choices are out of sight");
      seen.add("list");
    } else if (/takes a hit/.test(decision.prompt)) {
      await page.waitForSelector(".counter.offered .call", { state: "attached" });
      seen.add("ring");
    }
    const plan = decision.options.find(({ id }) => id === "as_planned");
    await say(page, (plan ?? (/^How many/.test(decision.prompt) ? decision.options.at(-1) : decision.options[0])).id);
  }
  assert.deepEqual([...seen].sort(), ["list", "numbers", "ring"]);
  assert.deepEqual(page.troubles, []);
}

/** What is new in the log is marked, and the mark is inside the list. */
async function news_are_marked(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "random" });
  await enter(page, id, host);
  await myTurn(page);
  for (let count = 0; count < 2; count++) await take(page, (await myTurn(page)).decision.options.find(({ id }) => id === "done"));
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
  const covered = await page.evaluate(() => {
    const counters = [...document.querySelectorAll(".counter")];
    return [...document.querySelectorAll("text.cost")].some((cost) => counters.some((each) => cost.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING));
  });
  assert.ok(await page.locator("text.cost").count());
  assert.equal(covered, false, "costs of movement lie under counters");
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
  const page = await sit(browser, { ...DESKTOP, fresh: true });
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

export const cases = { hover_and_threats, action_in_every_game, light_lobby, keys_and_settings, hint_in_bastogne, complaints_pass, columns_only_show, result_words, lists_on_a_phone, news_are_marked, in_a_move, removing_asks };
