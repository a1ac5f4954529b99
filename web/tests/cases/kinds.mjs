import assert from "node:assert/strict";
import { DESKTOP, PHONE, begin, enter, placeOf, sit } from "../table.mjs";

const option = (id, more) => ({ id, words: id, spaces: [], units: [], cost: null, sides: [], cards: [], role: "", rolls: false, has_preview: false, ...more });
const CARDS = ["c1", "c2", "c3"].map((id, i) => ({
  id, name: `Card ${i + 1}`, side: "Blue", style: "blue", value: String(i + 2),
  lines: [{ words: "Activate a corps", kind: "", turns: [] }, { words: "Roadblock", kind: "event", turns: [] }, { words: "Replacements", kind: "", turns: [9] }], foot: "Artillery", number: "", units: [{ symbol: "infantry", words: "1st" }],
}));

/** A table at which another question lies open than the game asks; what the page then chooses is written down. */
async function sitWith(browser, size, question, scene = {}) {
  const page = await sit(browser, size);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "random" });
  page.chosen = [];
  const altered = (state) => ({ ...state, scene: { ...state.scene, ...scene }, decision: { ...state.decision, top: true, about: null, ...question } });
  await page.route(/\/look(\?|$)/, async (route) => {
    const look = await (await route.fetch()).json();
    await route.fulfill({ json: { ...look, cards: CARDS } });
  });
  await page.route(new RegExp(`/api/matches/${id}(\\?|$)`), async (route) => route.fulfill({ json: altered(await (await route.fetch()).json()) }));
  await page.routeWebSocket(/\/live/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const message = JSON.parse(text);
      socket.send(message.type === "state" ? JSON.stringify({ type: "state", re: message.re, ...altered(message) }) : text);
    });
    socket.onMessage((text) => (JSON.parse(text).type === "choose" ? page.chosen.push(JSON.parse(text).id) : server.send(text)));
  });
  await enter(page, id, host);
  return page;
}

async function chose(page, id) {
  for (let count = 0; count < 40 && !page.chosen.includes(id); count++) await page.waitForTimeout(50);
  assert.deepEqual(page.chosen, [id]);
  assert.deepEqual(page.troubles, []);
}

/** A hand of cards: by click and by key, on desktop and phone; lifted first, played at the foot. */
async function cards(browser) {
  const question = { kind: "card", prompt: "Play a card, or pass.", options: [...CARDS.slice(0, 2).map(({ id, name }) => option(id, { words: `play ${name}`, cards: [id] })), option("pass", { role: "end" })] };
  const scene = { hands: [{ side: "Blue", cards: ["c1", "c2", "c3"], hidden: 0, name: "" }, { side: "Red", cards: [], hidden: 4, name: "" }], decks: [{ id: "red", name: "Red deck", style: "red", left: 9, played: ["c3"] }] };
  for (const size of [DESKTOP, PHONE]) {
    const page = await sitWith(browser, size, question, scene);
    await page.waitForSelector(".hand >> text=Red deck");
    await page.waitForSelector(".hand >> text=4 cards unseen");
    await page.click('[data-card="c3"]', { position: { x: 10, y: 60 }, force: true });
    assert.equal(await page.locator(".hand .up").count(), 0, "a card that cannot be played was lifted");
    await page.click('[data-card="c1"]', { position: { x: 10, y: 60 } });
    await page.waitForSelector(".hand .up");
    assert.deepEqual(page.chosen, [], "lifting a card played it");
    if (process.env.BULGE_PICTURES) await page.screenshot({ path: `${process.env.BULGE_PICTURES}/cards-${size.viewport.width}.png` });
    await page.keyboard.press("Escape");
    await page.waitForSelector(".hand .up", { state: "detached" });
    await page.focus('[data-card="c2"]');
    await page.keyboard.press("Enter");
    await page.click(".foot .primary >> text=Play Card 2");
    await chose(page, "c2");
  }
}

/** Hexsides as choices: drawn, clicked, and in a list for those who do not point. */
async function hexsides(browser) {
  const question = { kind: "side", prompt: "Blow a bridge.", options: [option("0202/0203", { spaces: ["0202", "0203"], sides: ["0202/0203"] }), option("0102/0103", { spaces: ["0102", "0103"], sides: ["0102/0103"] })] };
  const page = await sitWith(browser, DESKTOP, question);
  assert.equal(await page.locator("[data-side]").count(), 2);
  await page.waitForSelector(".rail [data-option='0102/0103']");
  const [one, two] = [await placeOf(page, "0202"), await placeOf(page, "0203")];
  await page.mouse.click((one.x + two.x) / 2, (one.y + two.y) / 2);
  await chose(page, "0202/0203");
}

/** Pointing at what rolls does not roll: it is asked for by a click of its own, marked with a die. */
async function what_rolls(browser) {
  const question = { kind: "unit", options: [option("B1", { words: "roll for 1st Blue", units: ["B1"], rolls: true }), option("B2", { units: ["B2"] })] };
  const page = await sitWith(browser, DESKTOP, question);
  const spot = await placeOf(page, "0202");
  await page.mouse.click(spot.x, spot.y);
  await page.waitForSelector(".foot .primary.risk >> text=Roll for 1st Blue");
  await page.waitForSelector(".foot .primary.risk svg");
  assert.deepEqual(page.chosen, [], "selecting rolled");
  await page.click(".foot .primary");
  await chose(page, "B1");
}

export const cases = { cards, hexsides, what_rolls };
