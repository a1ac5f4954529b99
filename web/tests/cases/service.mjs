/** What a public service needs beside play: passkeys, quiet hours, reports, and a moderator who looks at them. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { audit } from "./access.mjs";
import { arrive, named } from "../guests.mjs";
import { DESKTOP, PHONE, SERVER, sit } from "../table.mjs";

const { BULGE = "bulge", BULGE_DATABASE: DATABASE, BULGE_PICTURES: PICTURES } = process.env;

/** Where a picture of the page is kept, if somebody wants to look at it. */
async function picture(page, name) {
  if (!PICTURES) return;
  const { width, height } = page.viewportSize();
  for (const [shape, size] of Object.entries({ desk: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } })) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `${PICTURES}/${name}-${shape}.png`, fullPage: shape === "phone" });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.ok(!wide, `${name} is wider than a ${shape}`);
  }
  await page.setViewportSize({ width, height });
}

async function signOut(page) {
  await page.click("[data-sign-out]");
  await page.waitForSelector("[data-quick]");
  await page.waitForSelector("[data-sign-in]", { state: "attached" });
}

/** An account is made with a passkey, named, left and entered again; a second key is added, and the last one cannot go. */
async function passkey(browser) {
  const home = SERVER.replace("127.0.0.1", "localhost");
  const page = await sit(browser, { ...DESKTOP, fresh: true });
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", { options });
  const name = named("Petra");
  await page.goto(`${home}#/sign-up`);
  await page.fill('[data-field="name"]', name);
  await picture(page, "sign-up");
  await page.click("[data-passkey]");
  await page.waitForSelector(`[data-me="${name}"]`, { state: "attached" });

  await page.goto(`${home}#/you`);
  await page.waitForSelector('[data-passkeys="1"]');
  await page.click('[data-passkeys] >> text="Rename"');
  await page.fill("[data-new-name]", "my phone");
  await page.click('[data-passkeys] >> text="Save"');
  await page.waitForSelector('[data-passkeys] >> text="my phone"');
  await page.click("[data-remove]");
  await page.waitForSelector("[data-passkeys] >> text=/only way in/");
  await audit(page, "passkeys");
  await picture(page, "you");

  await signOut(page);
  await page.goto(`${home}#/sign-in`);
  await audit(page, "signing in with a passkey");
  await page.click("[data-passkey]");
  await page.waitForSelector(`[data-me="${name}"]`, { state: "attached" });

  // A device that has no key of this account opens nothing, and the page says so.
  const { credentials } = await device.send("WebAuthn.getCredentials", { authenticatorId });
  assert.equal(credentials.length, 1);
  await page.goto(`${home}#/you`);
  await signOut(page);
  await device.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.goto(`${home}#/sign-in`);
  await page.click("[data-passkey]");
  await page.waitForSelector("[role=alert] >> text=/No passkey was used/");
  assert.deepEqual(page.troubles.filter((words) => !words.includes("400")), [], "but for the removal that was refused");
}

/** Somebody is reported; a moderator reads it, shuts the account, opens it again, and all that stands in the log. */
async function moderator(browser) {
  const [mia, rude, anna] = [named("Mia"), named("Rudi"), named("Anna")];
  await arrive(browser, rude);
  const player = await arrive(browser, anna);
  await player.goto(`${SERVER}#/person/${encodeURIComponent(rude)}`);
  await player.click("[data-report]");
  await player.fill("[data-report-words]", "He writes <b>foul</b> things.");
  await audit(player, "a report");
  await player.click("[data-report-send]");
  await player.waitForSelector("[data-reported]");
  await player.goto(`${SERVER}#/moderation`);
  await player.waitForSelector("text=This page is for moderators");
  await player.goto(`${SERVER}#/notices`);
  await player.fill('[data-quiet="begin"]', "23:15");
  await player.click('[data-quiet="save"]');
  await player.waitForSelector('[data-quiet="off"]');
  await audit(player, "quiet hours");
  await picture(player, "notices");

  const page = await arrive(browser, mia);
  execFileSync(BULGE, ["people", mia, "--role", "moderator", "--database", DATABASE]);
  await page.reload();
  await page.goto(`${SERVER}#/you`);
  await page.click("[data-moderation]");
  const report = page.locator("[data-report]", { hasText: rude });
  await report.waitFor();
  assert.match(await report.innerText(), /He writes <b>foul<\/b> things\./);
  await audit(page, "reports");
  await picture(page, "reports");
  await report.locator("[data-to-account]").click();
  const account = page.locator(`[data-account="${rude}"]`);
  await account.locator("[data-shut]").click();
  await account.locator("[data-why]").fill("foul words");
  await audit(page, "accounts");
  await picture(page, "accounts");
  await account.locator("[data-shut-yes]").click();
  await page.waitForSelector(`[data-account="${rude}"][data-suspended="true"]`);
  await account.locator("[data-open-again]").click();
  await page.waitForSelector(`[data-account="${rude}"][data-suspended="false"]`);
  await page.click('[data-tab="reports"]');
  await report.locator("[data-close-report]").click();
  await report.waitFor({ state: "detached" });
  await page.click('[data-tab="matches"]');
  await audit(page, "matches of moderators");
  await page.click('[data-tab="deeds"]');
  await page.waitForSelector(`[data-deed] >> text=/shut the account ${rude}: foul words/`);
  await audit(page, "the log");
  await picture(page, "log");
  assert.deepEqual([...page.troubles, ...player.troubles], []);

  const phone = await sit(browser, PHONE);
  await phone.context().addCookies(await page.context().cookies());
  await phone.goto(`${SERVER}#/moderation`);
  await phone.waitForSelector('[data-tab="reports"]');
  await audit(phone, "moderation on a phone");
}

export const cases = { passkey, moderator };
