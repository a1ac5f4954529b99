/** People with accounts, each in a browser of their own. */

import { SERVER, sit } from "./table.mjs";

export const PASSWORD = "a long password";

/** Names differ from run to run: accounts stay in the server's database. */
export const named = (name) => `${name} ${Math.random().toString(36).slice(2, 8)}`;

export async function arrive(browser, name, options) {
  const page = await sit(browser, options);
  await page.goto(`${SERVER}#/sign-up`);
  await page.fill('[data-field="name"]', name);
  await page.fill('[data-field="password"]', PASSWORD);
  await page.click("[data-submit]");
  await page.waitForSelector(`[data-me="${name}"]`, { state: "attached" });
  return page;
}

/** Offer a match in the browser, and wait in its room; the answer is its id. */
export async function offer(page, terms = {}) {
  await page.goto(`${SERVER}#/new`);
  await page.selectOption('[data-field="game"]', "ford");
  for (const [name, value] of Object.entries(terms)) await page.check(`[data-segments="${name}"] input[value="${value}"]`);
  await page.click("[data-make]");
  await page.waitForSelector("[data-room]");
  return page.getAttribute("[data-room]", "data-room");
}

/** Both pages come to the board by themselves once the dice are agreed on. */
export const atBoard = (page) => page.waitForSelector("[data-company]").then(() => page.waitForSelector(".prompt"));
