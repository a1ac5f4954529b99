import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { PHONE, SERVER, begin, choosing, clickSpace, enter, pieceAt, placeOf, sit, stateOf } from "../table.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const RULES = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** Of these, what depends on colours: all that a page in its other colours can break. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Without the drawn counters, which are hidden from readers and lie on a picture, so that axe can say nothing of them. */
export async function audit(page, where, runOnly = RULES) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await readFile(AXE, "utf-8"));
  const { violations } = await page.evaluate(
    (runOnly) => window.axe.run({ exclude: [".map .layer"] }, { runOnly, resultTypes: ["violations"] }),
    runOnly,
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).slice(0, 4).join(" | ")}`);
  assert.deepEqual(found, [], `axe finds faults on ${where}`);
}

/** No fault that axe can find, on any page, light and dark. */
async function axe(browser) {
  for (const [colorScheme, rules] of [["light", RULES], ["dark", COLOURS]]) {
    const page = await sit(browser, { viewport: { width: 1440, height: 900 }, colorScheme });
    await page.goto(SERVER);
    await page.waitForSelector("[data-quick]");
    await audit(page, `the lobby, ${colorScheme}`, rules);
    await page.click('[data-setup="ford"]');
    await audit(page, `setting up, ${colorScheme}`, rules);
    const { id, host } = await begin(page, "the_bulge", { German: "human", Allied: "human" });
    await enter(page, id, host);
    await audit(page, `the board, ${colorScheme}`, rules);
    await choosing(page, () => clickSpace(page, "1307"));
    await page.waitForSelector(".odds");
    await audit(page, `an attack, ${colorScheme}`, rules);
    await page.keyboard.press("w");
    await page.waitForSelector(".threats");
    await audit(page, `threats, ${colorScheme}`, rules);
    await page.keyboard.press("Escape");
    for (const name of ["Briefing", "What can I do?", "Text board", "Rules", "Charts", "Off the map", "Luck", "Settings", "Keys and gestures", "Replay"]) {
      await page.click('[aria-label="Menu"]');
      await page.waitForSelector("dialog");
      if (name === "Text board") await audit(page, `the menu, ${colorScheme}`, rules);
      await page.click(`dialog >> text="${name}"`);
      await page.waitForSelector(name === "Replay" ? ".replay" : "dialog");
      await audit(page, `${name}, ${colorScheme}`, rules);
      if (name === "Replay") await page.click("text=Back to now");
      else await page.keyboard.press("Escape");
    }
  }
  const page = await sit(browser);
  for (const game of ["bastogne", "ardennes_offensive"]) {
    const { id, host } = await begin(page, game, {});
    await enter(page, id, host);
    await audit(page, game);
  }
  const ford = await begin(page, "ford", { Blue: "human", Red: "human" });
  await page.goto(`${SERVER}#/match/${ford.id}/${ford.host}`);
  await page.waitForSelector(".curtain");
  await audit(page, "the curtain");
  const phone = await sit(browser, PHONE);
  const { id, host } = await begin(phone, "ford", { Blue: "human", Red: "human" });
  await enter(phone, id, host);
  for (const tab of ["Unit", "Attack", "Log", "Turns"]) {
    if (tab !== "Unit") await phone.click(`.tabs >> text=${tab}`);
    await audit(phone, `the phone, ${tab}`);
  }
}

/** A move by keys alone, and the same board in words. */
async function keyboard_and_text(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement?.classList.contains("map"))); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("n");
  await page.waitForFunction(() => /Blue/.test(document.querySelector(".map [aria-live]")?.textContent ?? ""));
  await choosing(page, () => page.keyboard.press("Enter"));
  assert.match((await stateOf(page)).decision.prompt, /Where does/);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".prompt")?.dataset.n === "0");

  await page.keyboard.press("/");
  const say = async (line, expected) => {
    await page.fill("dialog input", line);
    await page.keyboard.press("Enter");
    await page.waitForFunction((pattern) => new RegExp(pattern).test([...document.querySelectorAll(".talk p")].at(-1)?.textContent ?? ""), expected);
  };
  await say("what is in 0202", "1st Blue, strength 3");
  await say("where is 2nd Blue", "2nd Blue is in .*0201");
  await say("options", "Move a unit");
  await say("why not R1", "rule");
  await say("1st blue", "Chosen");
  await page.waitForFunction(() => /Where does 1st Blue go/.test(document.querySelector("dialog h3")?.textContent ?? ""));
  await page.waitForTimeout(200);
  await say("where can 1st Blue go", "can go to: .*0201");
  await say("0302", "Chosen");
  assert.equal(await pieceAt(page, "B1"), "0302");
  await say("fly to the moon", "did not understand");
  assert.deepEqual(page.troubles, []);
}

/** The phone: a sheet at the foot, targets that a thumb can hit, and a move by touch. */
async function phone(browser) {
  const page = await sit(browser, PHONE);
  await page.goto(SERVER);
  await page.tap('[data-quick="ford/Blue"]');
  await page.waitForSelector(".counter");
  const layout = await page.evaluate(() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const small = [...document.querySelectorAll(".tabs button, .buttons .solid, .icon")].map((each) => each.getBoundingClientRect()).filter((each) => each.width && (each.height < 38 || each.width < 38));
    return { wide: document.documentElement.scrollWidth, foot: box(".rail").bottom, map: box(".map").height, small: small.length };
  });
  assert.equal(layout.wide, 390, "the page is wider than the phone");
  assert.ok(layout.foot >= 843 && layout.map > 330, JSON.stringify(layout));
  assert.equal(layout.small, 0, "some targets are too small for a thumb");
  await choosing(page, () => clickSpace(page, "0202", { touch: true }));
  await page.waitForSelector(".reach-edge");
  const goal = (await stateOf(page)).decision.options.find((option) => option.spaces[0] !== "0202").spaces[0];
  await placeOf(page, goal);
  await clickSpace(page, goal, { touch: true });
  await page.waitForSelector(".route");
  await choosing(page, () => clickSpace(page, goal, { touch: true }));
  assert.equal(await pieceAt(page, "B1"), goal);
  assert.deepEqual(page.troubles, []);
}

export const cases = { axe, keyboard_and_text, phone };
