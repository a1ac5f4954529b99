import assert from "node:assert/strict";
import { SERVER, begin, choosing, clickSpace, clickUnit, enter, myTurn, pieceAt, placeOf, sit, stateOf, take } from "../table.mjs";

const COMPUTER = "random";

/** A newcomer: from the first page to a moved unit, by clicks alone. */
async function first_game(browser) {
  const page = await sit(browser);
  await page.goto(SERVER);
  await page.click('[data-quick="the_bulge/German"]');
  await page.waitForSelector(".counter");
  const began = await myTurn(page);
  assert.match(began.decision.prompt, /Attack a hex/);
  await choosing(page, () => page.click('[data-option="done"]'));
  assert.match((await myTurn(page)).decision.prompt, /Move a unit/);
  const from = await pieceAt(page, "116Pz");
  await choosing(page, () => clickUnit(page, "116Pz"));
  const [goal] = (await myTurn(page)).decision.options.filter((option) => option.spaces.length);
  await choosing(page, () => clickSpace(page, goal.spaces[0]));
  const state = await stateOf(page);
  const stop = state.decision.options.find(({ id }) => id === "stop");
  if (stop) await take(page, stop);
  assert.notEqual(await pieceAt(page, "116Pz"), from);
  await page.waitForSelector(".log >> text=/116th Panzer.* moves/");
  assert.deepEqual(page.troubles, []);
}

/** A click on a hex far off walks there, by the way that was shown; undo takes the whole walk back, redo repeats it. */
async function walk_and_undo(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  await take(page, { id: "done", units: [], spaces: [] });
  await choosing(page, () => clickUnit(page, "Lehr"));
  const home = await pieceAt(page, "Lehr");
  const { n } = await stateOf(page);
  await page.waitForSelector(".reach-edge");
  const goal = await farthest(page);
  const spot = await placeOf(page, goal);
  await page.mouse.move(spot.x, spot.y);
  await page.waitForSelector(".route");
  await choosing(page, () => page.mouse.click(spot.x, spot.y));
  assert.equal(await pieceAt(page, "Lehr"), goal);
  await page.keyboard.press("Control+z");
  await page.waitForFunction((n) => document.querySelector(".prompt")?.dataset.n === String(n), n);
  assert.equal(await pieceAt(page, "Lehr"), home);
  await choosing(page, () => page.keyboard.press("Control+Shift+z"));
  assert.notEqual(await pieceAt(page, "Lehr"), home);
  assert.deepEqual(page.troubles, []);
}

/** What one sees when the pointer comes down is what is meant, though the map is on its way and the next frame will move it. */
async function click_on_the_way(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  await take(page, { id: "B3", units: ["B3"], spaces: [] });
  const { x, y } = await placeOf(page, "0302");
  await choosing(page, () =>
    page.evaluate(
      ([x, y]) => {
        const map = document.querySelector(".map");
        const target = document.elementFromPoint(x, y);
        for (let i = 0; i < 3; i++) map.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", shiftKey: true, bubbles: true }));
        for (const type of ["pointerdown", "pointerup"])
          target.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, pointerType: "mouse", bubbles: true }));
      },
      [x, y],
    ),
  );
  assert.equal(await pieceAt(page, "B3"), "0302");
  assert.deepEqual(page.troubles, []);
}

/** A state that comes twice does not take the map away from where the reader has put it. */
async function map_stays(browser) {
  const page = await sit(browser);
  let again;
  await page.routeWebSocket(/live/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const said = JSON.parse(message);
      if (said.type === "state") again = () => socket.send(JSON.stringify({ ...said, re: null, events_from: 0, decision: { ...said.decision, top: false, prompt: "The same again", about: { spaces: ["0209"], units: [] } } }));
      socket.send(message);
    });
    socket.onMessage((message) => server.send(message));
  });
  const { id, host } = await begin(page, "ardennes_offensive", { German: "random", Allied: "human" }, { scenario: "4" });
  await enter(page, id, host);
  await myTurn(page);
  const place = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector(".map .layer").style.transform)))));
  await place();
  await page.focus(".map");
  for (const way of ["Down", "Right"]) for (let count = 0; count < 9; count++) await page.keyboard.press(`Shift+Arrow${way}`);
  const before = await place();
  again();
  await page.waitForSelector(".prompt >> text=The same again");
  assert.equal(await place(), before);
  assert.deepEqual(page.troubles, []);
}

/** Whoever is quicker than the line is not refused: a click that comes before the answer waits for it. */
async function quick_clicks(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  const [from, to] = [await placeOf(page, "0301"), await placeOf(page, "0302")];
  await page.evaluate(
    (points) => {
      for (const { x, y } of points)
        for (const type of ["pointerdown", "pointerup"])
          document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, pointerType: "mouse", bubbles: true }));
    },
    [from, to],
  );
  await page.waitForSelector('[data-unit="B3"][data-space="0302"]');
  assert.deepEqual(page.troubles, []);
}

/** A counter that is dragged goes to where it is let go. */
async function drag_to_move(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  const [from, to] = [await placeOf(page, "0301"), await placeOf(page, "0302")];
  await choosing(page, async () => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.waitForSelector('[data-dragged="B3"]', { state: "attached" });
    await page.mouse.up();
  });
  await page.waitForSelector('[data-unit="B3"][data-space="0302"]');
  assert.deepEqual(page.troubles, []);
}

async function farthest(page) {
  const paths = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const [, , id, token] = location.hash.split("/");
        const socket = new WebSocket(new URL(`api/matches/${id}/live`, location.href).href.replace("http", "ws"), ["bulge", `token.${token}`]);
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === "state") socket.send(JSON.stringify({ type: "reach", re: 1, n: message.n, rev: message.rev }));
          else {
            socket.close();
            resolve(message.answer.paths);
          }
        };
      }),
  );
  const goals = Object.keys(paths).sort((a, b) => paths[b].length - paths[a].length);
  assert.ok(paths[goals[0]].length > 2, "nothing lies farther off than one hex");
  return goals[0];
}

/** A full turn of The Bulge against the computer: an attack, moves, its answers, and on to the second day. */
async function full_turn(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: COMPUTER });
  await enter(page, id, host);
  const [moved, walked] = [new Set(), new Set()];
  let attacks = 0;
  for (let count = 0; count < 120; count++) {
    const { scene, decision, result } = await myTurn(page);
    if (result || scene.turn > 1) break;
    const { options } = decision;
    const end = options.find(({ id }) => ["done", "stop", "attack", "no_support", "no_air_support"].includes(id));
    let choice = end ?? options[0];
    if (decision.top && decision.kind === "space" && attacks < 2 && options.length > 1) [choice, attacks] = [options[0], attacks + 1];
    if (decision.top && decision.kind === "unit" && moved.size < 3) choice = options.find(({ units }) => units.length && !moved.has(units[0])) ?? choice;
    if (decision.top && choice.units.length) moved.add(choice.units[0]);
    if (/go next/.test(decision.prompt) && !walked.has(decision.about.units[0])) {
      walked.add(decision.about.units[0]);
      choice = options[0];
    }
    await take(page, choice);
  }
  const { scene } = await stateOf(page);
  assert.equal(scene.turn, 2, "the first day did not end");
  await page.waitForSelector(".log >> text=Turn 2, 17 December");
  assert.deepEqual(page.troubles, []);
}

/** The Ford against the computer, to the end, with dice that can be verified. */
async function whole_match(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: COMPUTER });
  await enter(page, id, host);
  for (let count = 0; count < 300; count++) {
    const state = await myTurn(page);
    if (state.result) break;
    const { options } = state.decision;
    await take(page, options[(count * 7) % options.length]);
  }
  const { result, seed } = await myTurn(page);
  assert.ok(result, "the match did not end");
  assert.ok(seed);
  await page.waitForSelector(".result >> text=The dice are verified");
  assert.deepEqual(page.troubles, []);
}

/** Two people on one match: each sees the other's moves at once, and never the other's chit. */
async function two_browsers(browser) {
  const [blue, red] = [await sit(browser), await sit(browser)];
  await blue.goto(SERVER);
  await blue.click('[data-setup="ford"]');
  await blue.selectOption('[data-seat="Red"]', "friend");
  await blue.click('[data-begin="ford"]');
  await blue.waitForSelector(".counter");
  await blue.click('[aria-label="Menu"]');
  const link = await blue.inputValue('[data-invite="Red"]');
  await blue.keyboard.press("Escape");
  const heard = [];
  red.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard.push(String(payload))));
  await red.goto(link);
  await red.waitForSelector(".counter");
  await blue.waitForSelector("text=/Blue holds a support chit that counts/");
  await red.waitForSelector("text=/Blue holds a support chit/");
  assert.equal(await red.locator("[data-option]").count(), 0, "Red is offered Blue's choices");
  const before = await pieceAt(red, "B3");
  await choosing(blue, () => clickUnit(blue, "B3"));
  const goal = (await stateOf(blue)).decision.options.find((option) => option.spaces[0] !== before);
  await choosing(blue, () => clickSpace(blue, goal.spaces[0]));
  await red.waitForSelector(`[data-unit="B3"][data-space="${goal.spaces[0]}"]`);
  const shown = await red.textContent("body");
  for (const text of [shown, ...heard]) assert.doesNotMatch(text, /Blue holds a support chit that counts|Your chit counts/);
  assert.deepEqual([...blue.troubles, ...red.troubles], []);
}

/** A reload in the middle of a combat brings back the target, the attackers and the odds. */
async function reload_in_combat(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  await choosing(page, () => clickSpace(page, "0503"));
  await choosing(page, () => clickUnit(page, "3FJ"));
  await page.waitForSelector(".fight >> text=Attack on 0503");
  await page.waitForSelector(".odds");
  await page.reload();
  await page.waitForSelector(".fight >> text=Attack on 0503");
  await page.waitForSelector(".arrow");
  assert.equal(await page.locator(".fight th.lit").count(), 1, "the column is not lit");
  await choosing(page, () => page.locator('[data-option="attack"]').first().click());
  const { decision } = await stateOf(page);
  assert.match(decision.prompt, /column/);
  await choosing(page, () => page.click(".foot .primary"));
  await page.waitForSelector(".tray svg");
  assert.deepEqual(page.troubles, []);
}

/** Point at what cannot be chosen and read the rule. */
async function why_not(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
  await enter(page, id, host);
  await clickSpace(page, "1407", { button: "right" });
  await page.waitForSelector(".why >> text=/no enemy unit/i");
  await page.click(".why .rule");
  await page.waitForSelector("dialog >> text=Rule 13.1");
  assert.deepEqual(page.troubles, []);
}

/** The whole match again: to the start, a step, and back to now. */
async function replay(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  const home = await pieceAt(page, "B2");
  await choosing(page, () => clickUnit(page, "B2"));
  const goal = (await stateOf(page)).decision.options.find((option) => option.spaces[0] !== home).spaces[0];
  await choosing(page, () => clickSpace(page, goal));
  await page.waitForSelector(`[data-unit="B2"][data-space="${goal}"]`);
  await page.click('[aria-label="Menu"]');
  await page.click("dialog >> text=Replay");
  await page.click('[aria-label="To the start"]');
  await page.waitForSelector(`[data-unit="B2"][data-space="${home}"]`);
  await page.selectOption(".replay select", { label: "10×" });
  await page.click('[aria-label="Play"]');
  await page.waitForSelector(`[data-unit="B2"][data-space="${goal}"]`);
  await page.click("text=Back to now");
  await page.waitForSelector(".prompt");
  assert.deepEqual(page.troubles, []);
}

/** The bar of the replay has marks to leap to; from any point of it a new match can be begun. */
async function from_here_on(browser) {
  const page = await sit(browser, { viewport: { width: 1366, height: 768 } });
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: COMPUTER });
  await enter(page, id, host);
  for (let count = 0; count < 40; count++) {
    const { decision, scene, result } = await myTurn(page);
    if (result || scene.turn > 2) break;
    await take(page, decision.options.find(({ id }) => id === "fight") ?? decision.options[0], decision.kind);
  }
  await page.click('[aria-label="Menu"]');
  await page.click("dialog >> text=Replay");
  for (const mark of ["i.turn", "i:not(.turn)"]) await page.waitForSelector(`.replay .line ${mark}`, { state: "attached" });
  await page.click('[aria-label="To the start"]');
  await page.click('[aria-label="To the next turn or battle"]');
  await page.waitForFunction(() => Number(document.querySelector(".replay input").value) > 0);
  const n = await page.inputValue(".replay input");
  if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/replay.png` });
  await page.click("[data-branch]");
  await page.waitForFunction((id) => !location.hash.includes(id), id);
  await page.waitForSelector(".prompt");
  assert.ok((await stateOf(page)).n >= Number(n));
  assert.deepEqual(page.troubles, []);
}

export const cases = { from_here_on, first_game, walk_and_undo, click_on_the_way, map_stays, quick_clicks, drag_to_move, full_turn, whole_match, two_browsers, reload_in_combat, why_not, replay };
