/** Words that strangers write are words on every page, never a part of it; and what would be deleted can be kept. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { arrive, atBoard, named, offer } from "../guests.mjs";
import { SERVER, begin, enter, sit } from "../table.mjs";

const HOSTILE = `<img src="x" onerror="window.owned = 1"><script>window.owned = 1</script>"'{{7*7}}`;

/** A file as Python writes it, which its check is made of. */
const written = (value) => {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}: ${written(value[key])}`).join(", ")}}`;
};

/** The same match with other data, as a stranger would bring it. */
function altered({ check: _, ...journal }, overrides) {
  const body = { ...journal, overrides };
  return { ...body, check: createHash("sha256").update(written(body)).digest("hex").slice(0, 32) };
}

/** The words stand on the page as they were written, and nothing in them came to life. */
async function onlyWords(page, place) {
  const found = await page.evaluate(() => ({ owned: window.owned, alive: document.querySelectorAll('img[src="x"]').length }));
  assert.deepEqual(found, { owned: undefined, alive: 0 }, place);
}

async function strange(browser) {
  const anna = named("Anna");
  const [first, second] = [await arrive(browser, anna), await arrive(browser, named("Bert"))];

  // What one says of oneself, and what one says to the other.
  await first.goto(`${SERVER}#/you`);
  await first.fill("textarea", HOSTILE);
  await first.click('form >> text="Save"');
  await first.waitForSelector('[role="status"]');
  await second.goto(`${SERVER}#/person/${encodeURIComponent(anna)}`);
  await second.waitForSelector("text=window.owned");
  await onlyWords(second, "a person's page");
  const id = await offer(first);
  await second.goto(`${SERVER}#/table/${id}`);
  await second.click("[data-sit]");
  await Promise.all([atBoard(first), atBoard(second)]);
  await first.click('[data-beside="talk"]');
  await first.fill("[data-say]", HOSTILE);
  await first.press("[data-say]", "Enter");
  await second.click('[data-beside="talk"]');
  assert.ok((await second.innerText("[data-message]")).includes(HOSTILE));
  await onlyWords(second, "the talk");
  await first.click('[data-beside="notes"]');
  await first.fill("[data-note]", HOSTILE);
  await first.click("[data-save-note]");
  await first.waitForSelector('.notes [role="status"]');
  await onlyWords(first, "notes");

  // A file whose data give a unit such a name.
  const page = await sit(browser);
  const { id: plain, host: own } = await begin(page, "ford", {});
  const journal = await (await page.request.get(`${SERVER}api/matches/${plain}/journal`, { headers: { "X-Token": own } })).json();
  const overrides = `[ford.units.B1]\nname = '''${HOSTILE}'''\n`;
  const made = await page.request.post(`${SERVER}api/matches/import`, { data: altered(journal, overrides) });
  assert.ok(made.ok(), await made.text());
  const { id: match, host } = await made.json();
  await enter(page, match, host);
  const words = (await (await page.request.get(`${SERVER}api/matches/${match}/look`, { headers: { "X-Token": host } })).text()).includes("window.owned");
  assert.ok(words, "the name is among what the page was given");
  await page.hover(".counter");
  await page.keyboard.press("l");
  await onlyWords(page, "a board");

  // Were something overlooked, the browser would still run nothing but the page's own script.
  const refused = await page.evaluate(
    () =>
      new Promise((tell) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => tell(effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.owned = 1";
        document.body.append(script);
      }),
  );
  assert.match(refused, /^script-src/);
  await onlyWords(page, "a script put into the page");
  const others = (each) => each.troubles.filter((trouble) => !trouble.includes("Content Security Policy"));
  for (const each of [first, second, page]) assert.deepEqual(others(each), []);
}

/** As the server's answer will be some days before a match is deleted. */
async function soonGone(page, address) {
  const date = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch();
      const found = await response.json();
      await route.fulfill({ response, json: found.map((match) => ({ ...match, expires: date })) });
    },
    { times: 1 },
  );
}

/** A line says that a match will be deleted; Keep saves it, and the line is gone. */
async function keep(browser) {
  const page = await arrive(browser, named("Anna"));
  const id = await offer(page);
  await page.goto(SERVER);
  await page.waitForSelector("[data-quick]");
  await soonGone(page, "**/api/tables/mine");
  await page.goto(`${SERVER}#/matches`);
  await page.click(`[data-table="${id}"] [data-keep]`);
  await page.waitForSelector(`[data-table="${id}"] [data-keep]`, { state: "detached" });

  const alone = await sit(browser);
  const { id: own, host } = await begin(alone, "ford", {});
  await enter(alone, own, host);
  await soonGone(alone, "**/api/matches");
  await alone.goto(SERVER);
  await alone.click("[data-keep]");
  await alone.waitForSelector("[data-keep]", { state: "detached" });
  for (const each of [page, alone]) assert.deepEqual(each.troubles, []);
}

export const cases = { strange, keep };
