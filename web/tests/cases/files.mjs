import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { SERVER, begin, choosing, clickUnit, enter, sit, stateOf } from "../table.mjs";

/** A broken file is refused in words; a good one comes back as it was. */
async function broken_import(browser) {
  const page = await sit(browser);
  const { id, host } = await begin(page, "ford", { Blue: "human", Red: "human" });
  await enter(page, id, host);
  await choosing(page, () => clickUnit(page, "B2"));
  const before = await stateOf(page);
  await page.click('[aria-label="Menu"]');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog >> text=Export")]);
  const journal = await readFile(await download.path(), "utf-8");

  await page.goto(`${SERVER}#/`);
  const input = page.locator('input[type="file"]');
  const offer = (text) => input.setInputFiles({ name: "match.json", mimeType: "application/json", buffer: Buffer.from(text) });
  for (const text of ["{", "[]", '{"format": "bulge journal", "game": "<b>x</b>"}', journal.replace('"ford"', '"fort"'), journal.slice(0, -40)]) {
    await offer(text);
    await page.waitForSelector(".matches [role=alert]");
    assert.match(new URL(page.url()).hash, /^#?\/?$/, "a broken file opened a match");
  }
  await offer(journal);
  await page.waitForSelector(".counter", { state: "attached" });
  const after = await stateOf(page);
  assert.notEqual(after.match, before.match);
  assert.deepEqual([after.n, after.scene], [before.n, before.scene]);
}

/** A match is found again in the lobby, and can be removed from the list. */
async function resume(browser) {
  const page = await sit(browser);
  await page.goto(SERVER);
  await page.click('[data-quick="ford/Blue"]');
  await page.waitForSelector(".counter");
  const { match } = await stateOf(page);
  await page.goto(`${SERVER}#/`);
  await page.waitForSelector(".matches li >> text=/Turn 1/");
  await page.click("text=Resume");
  await page.waitForSelector(".counter");
  assert.equal((await stateOf(page)).match, match);
  await page.goto(`${SERVER}#/`);
  await page.click(".matches li >> text=Remove");
  await page.click(".matches >> text=Yes, remove");
  await page.waitForSelector("text=Nothing yet");
  await page.goto(`${SERVER}#/match/${match}/wrong`);
  await page.waitForSelector("text=This match cannot be opened");
}

export const cases = { broken_import, resume };
