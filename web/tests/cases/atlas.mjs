import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { DESKTOP, PHONE, SERVER, sit } from "../table.mjs";
import { audit } from "./access.mjs";

/** From the lobby to the atlas: days turn, a map grows, a game of it is replayed; on a desk, on a phone, by night. */
async function atlas(browser) {
  const page = await sit(browser);
  await page.goto(SERVER);
  await page.click("[data-atlas]");
  await page.waitForSelector(".models", { timeout: 120_000 });
  await page.focus("#days");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#day >> text=22");
  assert.equal(await page.locator('.deep[data-day="22"]').first().isVisible(), true);
  assert.equal(await page.locator('.deep[data-day="20"]').first().isVisible(), false);
  await page.click(".larger >> nth=0");
  await page.waitForSelector(".model.large");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click(".model.large .take[value=svg]")]);
  assert.match(saved.suggestedFilename(), /^map-[a-z_0-9]+-22\.svg$/);
  const drawn = await readFile(await saved.path(), "utf8");
  assert.match(drawn, /data-day="22"/);
  assert.doesNotMatch(drawn, /data-day="20"/);
  const [painted] = await Promise.all([page.waitForEvent("download"), page.click(".model.large .take[value=png]")]);
  assert.ok((await readFile(await painted.path())).length > 20_000, "the map as a picture");
  await page.click(".model.large .larger");
  await page.click("summary >> text=Games to replay >> nth=0");
  await page.click('ol[data-day="22"] a >> nth=0');
  await page.waitForSelector(".replay", { timeout: 60_000 });
  assert.deepEqual(page.troubles, []);
  for (const kind of [DESKTOP, { ...PHONE, colorScheme: "dark" }]) {
    const other = await sit(browser, kind);
    await other.goto(`${SERVER}atlas`);
    await other.waitForSelector(".models");
    await audit(other, "the atlas");
    await other.evaluate(() => localStorage.setItem("bulge.settings", '{"theme":"dark"}'));
    await other.reload();
    await audit(other, "the atlas by night, as the settings say");
    assert.match(await other.evaluate(() => getComputedStyle(document.body).backgroundColor), /rgb\(22, 24, 26\)/);
    assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the atlas is wider than its page");
  }
}

export const cases = { atlas };
