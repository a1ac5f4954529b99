/** Two people find each other, agree, play, talk, end it, play again, and check the dice. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audit } from "./access.mjs";
import { PASSWORD, arrive, atBoard, named, offer } from "../guests.mjs";
import { PHONE, SERVER, myTurn, sit, stateOf, take } from "../table.mjs";

/** Choose on the page until the turn has passed to the other side; what ends a phase is taken as soon as it is offered. */
async function playTurn(page) {
  let state = await myTurn(page);
  const { side } = state;
  while (state.decision?.side === side) {
    const { options, kind } = state.decision;
    await take(page, options.find(({ role }) => role.startsWith("end")) ?? options[0], kind);
    state = await stateOf(page);
  }
}

async function people(browser) {
  const [anna, bert] = [named("Anna"), named("Bert")];
  const first = await arrive(browser, anna);
  const second = await arrive(browser, bert);
  await listen(second);
  const id = await offer(first, { days: 3, undo: "ask" });

  // Bert finds it in the public list, reads the terms, and sits down.
  await second.goto(`${SERVER}#/matches`);
  await second.click(`[data-join="${id}"]`);
  await second.waitForSelector("[data-sit]");
  assert.match(await second.innerText("[data-room]"), /3 days for a move/);
  await second.click("[data-sit]");
  await Promise.all([atBoard(first), atBoard(second)]);
  assert.equal(await first.title().then((title) => title.startsWith("Your turn")), true);
  await first.waitForFunction(() => document.querySelector('link[rel="icon"]').href.endsWith("icon-turn.svg"));

  // Somebody without an account looks on.
  const third = await sit(browser);
  await third.goto(`${SERVER}#/matches`);
  await third.click(`[data-watch="${id}"]`);
  await third.waitForSelector("[data-watching]");
  await first.waitForSelector('[data-onlookers="1"]');

  // Bert goes away; meanwhile Anna plays her turn and writes to him.
  const [blue, red] = Object.keys((await stateOf(first)).table.people);
  await second.goto(SERVER);
  await first.waitForSelector(`[data-plate="${red}"][data-here="away"]`);
  await playTurn(first);
  await first.click('[data-beside="talk"]');
  await first.fill("[data-say]", "Your turn at 0303. <b>Good luck!</b>");
  await first.press("[data-say]", "Enter");
  await first.waitForSelector("[data-message]");

  if (endpoint) await noticeOf(first, id);

  // He comes back: the list says that it is his turn and what happened last; he reads, and plays.
  await second.goto(`${SERVER}#/matches`);
  await second.waitForSelector('[data-waiting="1"]', { state: "attached" });
  const row = await second.innerText(`[data-table="${id}"]`);
  assert.ok(row.includes(anna), row);
  await second.click(`[data-go="${id}"]`);
  await atBoard(second);
  await second.waitForSelector('[data-unread="1"]');
  await second.click('[data-beside="talk"]');
  assert.match(await second.innerText("[data-message]"), /<b>Good luck!<\/b>/);
  await second.click('[data-beside="talk"]');
  await first.waitForSelector(`[data-plate="${red}"][data-here="now"]`);
  await playTurn(second);
  assert.equal((await stateOf(first)).decision.side, blue);
  const seen = await stateOf(third);
  assert.equal(seen.decision.mine, false);
  await third.waitForFunction((n) => document.querySelector(".prompt")?.dataset.n === String(n), seen.n);

  // A note for oneself; a draw that is refused; then he resigns.
  await second.click('[data-beside="notes"]');
  await second.fill("[data-note]", "Hold the bridge.");
  await second.click("[data-save-note]");
  await second.waitForSelector('.notes [role="status"]:has-text("Saved")');
  assert.equal((await notesOf(second, id)).length, 1);
  assert.deepEqual(await notesOf(first, id), []);
  await second.click('[data-beside="table"]');
  await second.click('[data-offer="draw"]');
  await first.click('[data-asking="draw"] [data-answer="no"]');
  await second.waitForSelector('[data-offer="draw"]:enabled');
  await second.click("[data-resign]");
  await second.click("[data-resign-sure]");
  await first.waitForSelector('[data-ended="resigned"]');

  // The dice: every part fits what was published, on the page and for the command line.
  await first.click('[data-beside="table"]');
  await first.waitForSelector('[data-dice="fair"]');
  await verify(first, id);

  // Once more, with sides swapped and other dice.
  await first.click('[data-offer="rematch"]');
  await second.click('[data-asking="rematch"] [data-answer="yes"]');
  const before = await stateOf(first);
  for (const page of [first, second]) await page.click("[data-rematch]");
  await Promise.all([first, second].map(atBoard));
  const again = await stateOf(first);
  assert.equal(again.side, red);
  assert.notEqual(again.match, before.match);
  assert.notEqual(again.table.commitments[red], before.table.commitments[blue]);
  for (const page of [first, second, third]) assert.deepEqual(page.troubles, []);
}

/** What was posted to the endpoint here, at the place that the server may deliver to. */
const posted = [];
let endpoint = null;

function startEndpoint(place) {
  const [host, port] = place.split(":");
  const server = createServer((request, answer) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      posted.push(JSON.parse(Buffer.concat(parts).toString()));
      answer.end();
    });
  });
  return new Promise((resolve) => server.listen(Number(port), host, () => resolve(server)));
}

/** Open a webhook on the page, and try it. */
async function listen(page) {
  const place = process.env.BULGE_HOOK;
  if (!place) return console.log("note: BULGE_HOOK names no place to deliver to, so no notice was waited for");
  endpoint ??= await startEndpoint(place);
  await page.goto(`${SERVER}#/notices`);
  await page.fill("[data-hook]", `http://${place}/hook`);
  await page.click('[data-open="webhook"]');
  await page.click('[data-channel="webhook"] [data-test]');
  await page.waitForSelector('[role="status"]');
}

/** Wait until the server has told of a turn in this match. */
async function noticeOf(page, id) {
  while (!posted.some(({ event, address }) => event === "turn" && address.endsWith(id))) await page.waitForTimeout(50);
}

async function notesOf(page, id) {
  return (await page.request.get(`${SERVER}api/tables/${id}/notes`)).json();
}

/** What `bulge verify` says of the journal; the one who runs the cases names the command by BULGE. */
async function verify(page, id) {
  const text = await (await page.request.get(`${SERVER}api/matches/${id}/journal`)).text();
  assert.equal(Object.keys(JSON.parse(text).parts).length, 3);
  if (!process.env.BULGE) return console.log("note: BULGE names no command, so `bulge verify` was not run");
  const file = join(mkdtempSync(join(tmpdir(), "bulge-")), "match.json");
  writeFileSync(file, text);
  execFileSync(process.env.BULGE, ["verify", file]);
}

/** A private table: its link leads a stranger to the terms, and says when nobody else could follow it. */
async function invitation(browser) {
  const first = await arrive(browser, named("Anna"));
  const id = await offer(first, { listed: false });
  const link = await first.inputValue("[data-invitation]");
  await first.waitForSelector("[data-only-here]");
  const second = await sit(browser);
  await second.goto(`${SERVER}#/matches`);
  await second.waitForSelector("[data-new]");
  assert.equal(await second.locator(`[data-join="${id}"]`).count(), 0);
  await second.goto(link);
  await second.waitForSelector("[data-room]");
  await second.click('main >> text="Sign in to sit down"');
  await second.click('text="Make an account"');
  await second.fill('[data-field="name"]', named("Bert"));
  await second.fill('[data-field="password"]', PASSWORD);
  await second.click("[data-submit]");
  await second.click("[data-sit]");
  await Promise.all([atBoard(first), atBoard(second)]);
  for (const beside of ["talk", "notes", "table"]) {
    await first.click(`[data-beside="${beside}"]`);
    await audit(first, `a table of people, ${beside}`);
  }
  await goBack(first, second);
  for (const page of [first, second]) assert.deepEqual(page.troubles, []);
}

/** A finished move is taken back, once the other has seen what would be undone and agreed. */
async function goBack(first, second) {
  let state = await myTurn(first);
  do {
    const { options, kind } = state.decision;
    await take(first, options.find(({ role }) => !role) ?? options[0], kind);
    state = await stateOf(first);
  } while (!state.decision.top);
  assert.ok(state.n > 1);
  await first.click('[data-offer="undo"]');
  await first.waitForSelector("[data-back-to]");
  await audit(first, "asking to go back");
  await first.click("[data-ask-back]");
  await second.waitForSelector("[data-undone] li");
  await audit(second, "being asked to let somebody go back");
  await second.click('[data-asking="undo"] [data-answer="yes"]');
  await first.waitForFunction(() => document.querySelector(".prompt")?.dataset.n === "0");
}

/** Who looks on talks in the gallery, which players read after the end; then notes are shared with all. */
async function gallery(browser) {
  const anna = named("Anna");
  const first = await arrive(browser, anna, { viewport: { width: 1366, height: 768 } });
  const second = await arrive(browser, named("Bert"));
  const third = await arrive(browser, named("Carl"), PHONE);
  const id = await offer(first);
  await second.goto(`${SERVER}#/table/${id}`);
  await second.click("[data-sit]");
  await Promise.all([atBoard(first), atBoard(second)]);
  await third.goto(`${SERVER}#/matches`);
  await third.click(`[data-watch="${id}"]`);
  await third.waitForSelector("[data-watching]");
  await third.click('[data-beside="talk"]');
  await third.waitForSelector("[data-gallery]");
  await third.fill("[data-say]", "Blue is lost. <b>");
  await third.press("[data-say]", "Enter");
  await third.waitForSelector('[data-from="gallery"]');
  await audit(third, "the gallery");
  const { bottom } = await third.$eval("[data-say]", (entry) => entry.form.getBoundingClientRect());
  assert.ok(bottom <= PHONE.viewport.height, `the line to write in ends at ${bottom}`);
  await first.click('[data-beside="talk"]');
  await first.fill("[data-say]", "Good luck!");
  await first.press("[data-say]", "Enter");
  await first.waitForSelector('[data-from="players"]');
  assert.equal(await first.locator("[data-message]").count(), 1);
  assert.equal(await third.locator("[data-message]").count(), 1);

  await first.click('[data-beside="notes"]');
  await first.fill("[data-note]", "Hold the bridge.");
  await first.click("[data-save-note]");
  await first.waitForSelector('.notes [role="status"]:has-text("Saved")');
  assert.equal(await first.locator("[data-share]").count(), 0);
  await first.click('[data-beside="table"]');
  await first.click("[data-resign]");
  await first.click("[data-resign-sure]");
  await first.waitForSelector('[data-ended="resigned"]');
  await first.click('[data-beside="notes"]');
  await first.click('[data-share="yes"]');
  await first.waitForSelector('[data-share="no"]');
  await audit(first, "notes that are shared");
  await second.click('[data-beside="talk"]');
  await second.waitForSelector('[data-from="gallery"]:has-text("Blue is lost. <b>")');
  await third.click('[data-beside="notes"]');
  await third.waitForSelector(`[data-notes-of="${anna}"]:has-text("Hold the bridge.")`);
  await audit(third, "another's notes");
  for (const page of [first, second, third]) assert.deepEqual(page.troubles, []);
}

/** One's own page: what is kept can be taken away, and deleted. */
async function account(browser) {
  const name = named("Carl");
  const page = await arrive(browser, name);
  for (const [place, there] of [["matches", "[data-new]"], ["new", "[data-make]"], ["sign-up", "[data-submit]"], ["notices", "[data-hook]"], ["you", "[data-export]"]]) {
    await page.goto(`${SERVER}#/${place}`);
    await page.waitForSelector(there);
    await audit(page, place);
    await page.click('[aria-label="Light or dark"]');
    await audit(page, `${place}, the other way round`);
  }
  assert.match(await page.innerText('[data-use="storage"]'), /0 of 50/);
  const kept = await (await page.request.get(`${SERVER}api/me/export`)).json();
  assert.equal(kept.person.name, name);
  const elsewhere = await sit(browser);
  await elsewhere.request.post(`${SERVER}api/session`, { data: { name, password: PASSWORD } });
  await page.reload();
  await page.waitForSelector('[data-sessions="2"]');
  await page.click("[data-end-session]");
  await page.waitForSelector('[data-sessions="1"]');
  assert.equal(await (await elsewhere.request.get(`${SERVER}api/me`)).text(), "null");
  await page.click("[data-holiday]");
  await page.click("[data-back]");
  await page.waitForSelector("[data-holiday]");
  await page.click("[data-sign-out]");
  await page.waitForSelector("[data-sign-in]");
  await page.goto(`${SERVER}#/sign-in`);
  await page.fill('[data-field="name"]', name);
  await page.fill('[data-field="password"]', PASSWORD);
  await page.click("[data-submit]");
  await page.waitForSelector(`[data-me="${name}"]`);
  await page.goto(`${SERVER}#/you`);
  await page.click('text="Delete account…"');
  await page.fill('section form input[type="password"]', PASSWORD);
  await page.click('text="Delete for good"');
  await page.waitForSelector("[data-sign-in]");
  assert.equal((await page.request.get(`${SERVER}api/people/${encodeURIComponent(name)}`)).status(), 404);
  assert.deepEqual(page.troubles, []);
}

/** Somebody hides, and is not seen; an onlooker finds the match again, sees how it ended, and forgets it; the record is by side. */
async function club(browser) {
  const [anna, bert] = [named("Anna"), named("Bert")];
  const [first, second, third] = [await arrive(browser, anna), await arrive(browser, bert), await sit(browser)];
  const id = await offer(first);
  await second.goto(`${SERVER}#/table/${id}`);
  await second.click("[data-sit]");
  await Promise.all([atBoard(first), atBoard(second)]);
  const [blue] = Object.keys((await stateOf(first)).table.people);
  await second.waitForSelector(`[data-plate="${blue}"][data-here="now"] .face[data-here="now"]`);

  await third.goto(`${SERVER}#/match/${id}`);
  await third.waitForSelector(`[data-watching]`);
  await third.waitForSelector(`[data-plate="${blue}"][data-here="now"]`);
  await first.goto(`${SERVER}#/you`);
  await first.click('[data-show-me="yes"]');
  await first.waitForSelector('[data-show-me="no"]');
  for (const page of [second, third]) {
    await page.waitForSelector(`[data-plate="${blue}"][data-here="hidden"] .face:not([data-here])`);
    assert.doesNotMatch(await page.innerText(`[data-plate="${blue}"]`), /here now|away/);
  }
  await second.goto(`${SERVER}#/matches`);
  await second.waitForSelector(`[data-table="${id}"] .who .face:not([data-here])`);
  assert.doesNotMatch(await second.innerText(`[data-table="${id}"] .others`), /here now|away/);

  await third.goto(`${SERVER}#/matches`);
  await third.waitForSelector(`[data-watched="${id}"][data-standing="on"]`);
  await audit(third, "a list with matches that one watches");
  assert.ok((await second.request.post(`${SERVER}api/tables/${id}/resign`)).ok());
  await third.waitForSelector(`[data-watched="${id}"][data-standing="over"]`);
  assert.match(await third.innerText(`[data-watched="${id}"]`), /over: .* resigned/);
  await third.click(`[data-forget="${id}"]`);
  await third.waitForSelector(`[data-watched="${id}"]`, { state: "detached" });
  await third.reload();
  await third.waitForSelector("#open");
  assert.equal(await third.evaluate(() => localStorage.getItem("bulge.watched")), "[]");

  await third.goto(`${SERVER}#/person/${encodeURIComponent(anna)}`);
  assert.match(await third.innerText(`[data-by-side] [data-side="${blue}"]`), /1\s+0\s+0/);
  await audit(third, "a record by side");
  for (const page of [first, second, third]) assert.deepEqual(page.troubles, []);
}

export const cases = { people, invitation, gallery, account, club };
