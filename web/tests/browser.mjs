/**
 * Runs the cases against a running server: `BULGE_SERVER=http://127.0.0.1:8765/ node tests/browser.mjs [case ...]`;
 * with `--shared=folder`, all those that nobody else who was given this folder has taken.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { cases as access } from "./cases/access.mjs";
import { cases as atlas } from "./cases/atlas.mjs";
import { cases as files } from "./cases/files.mjs";
import { cases as games } from "./cases/games.mjs";
import { cases as log } from "./cases/log.mjs";
import { cases as large } from "./cases/large.mjs";
import { cases as kinds } from "./cases/kinds.mjs";
import { cases as page } from "./cases/page.mjs";
import { cases as people } from "./cases/people.mjs";
import { cases as play } from "./cases/play.mjs";
import { cases as reasons } from "./cases/reasons.mjs";
import { cases as review } from "./cases/review.mjs";
import { cases as service } from "./cases/service.mjs";
import { cases as story } from "./cases/story.mjs";
import { cases as strange } from "./cases/strange.mjs";
import { leave, openBrowser } from "./table.mjs";

const cases = { ...page, ...kinds, ...story, ...play, ...games, ...large, ...log, ...reasons, ...files, ...people, ...review, ...atlas, ...service, ...strange, ...access };
/** What takes longest is begun first, so that all who share the cases end together. */
const LONG = ["action_in_every_game", "axe", "atlas", "offensive_first_turn", "people", "moderator", "gallery", "club", "briefing_and_guide"];

const asked = process.argv.slice(2);
const folder = asked[0]?.match(/^--shared=(.+)$/)?.[1];
const chosen = asked.length && !folder ? asked : [...LONG, ...Object.keys(cases).filter((name) => !LONG.includes(name))];

/** Whether a case is ours: of those who share the cases, the first to write its name. */
function taken(name) {
  if (!folder) return true;
  try {
    writeFileSync(`${folder}/${name}`, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

if (asked[0] === "--list") {
  console.log(Object.keys(cases).join("\n"));
  process.exit(0);
}

/** What the pages showed when a case failed, where BULGE_PICTURES names a folder for it. */
async function keepPictures(name) {
  const pictures = process.env.BULGE_PICTURES;
  if (!pictures) return;
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [i, page] of pages.entries()) await page.screenshot({ path: `${pictures}/${name}-${i}.png` });
}

const browser = await openBrowser();

/** Whether a case passes; what went wrong is printed, with what the pages showed. */
async function passes(name) {
  const began = Date.now();
  let well = false;
  try {
    assert.ok(cases[name], `there is no case ${name}`);
    await cases[name](browser);
    well = true;
    console.log(`ok      ${name}  ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    await keepPictures(name);
    console.log(`FAILED  ${name}\n${error.stack}`);
    return false;
  } finally {
    for (const context of browser.contexts()) await leave(context, well); // whatever went wrong goes with it
  }
}

const tried = [];
for (const name of chosen) if (taken(name) && !(await passes(name))) tried.push(name);
// A stalled machine must not look like a broken page: what failed is played once more, and both results stand in the output.
const failed = [];
for (const name of tried) if (!(await passes(name))) failed.push(name);
await browser.close();
if (failed.length) console.log(`failed twice: ${failed.join(", ")}`);
process.exit(failed.length ? 1 : 0);
