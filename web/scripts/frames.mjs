/**
 * Frame times while a map is dragged and zoomed, from the browser's own trace, beside those of an empty page on which
 * one small box is moved. The board is one that bench/largest_map.py has written:
 *
 *     BULGE_SERVER=http://127.0.0.1:8765/ node scripts/frames.mjs FOLDER
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { DESKTOP, PHONE, openBrowser, SERVER, sit } from "../tests/table.mjs";

const [folder] = process.argv.slice(2);
assert.ok(folder, "say in which folder bench/largest_map.py has written");
const FRAMES = 240;
const SETTLED = 3000;
const file = (name) => readFileSync(`${folder}/${name}`);
const { game } = JSON.parse(file("look.json"));

const ANSWERS = [
  [/api\/games\/\w+\/map\.svg/, () => ({ contentType: "image/svg+xml", body: gunzipSync(file("map.svg.gz")) })],
  [/api\/games\/\w+\/map\.webp/, () => ({ contentType: "image/webp", body: file("map.webp") })],
  [/api\/games\/\w+\/tiles\//, (url) => ({ contentType: "image/webp", body: file(`tile-${url.split("/").slice(-3).join("-")}.webp`) })],
  [/api\/games\/\w+\/board/, () => ({ contentType: "application/json", body: file("answer.json") })],
  [/api\/games\/\w+\/rules/, () => ({ contentType: "application/json", body: "[]" })],
  [/api\/matches\/frames\/look/, () => ({ contentType: "application/json", body: file("look.json") })],
  [/api\/matches\/frames(\?|$)/, () => ({ contentType: "application/json", body: file("state.json") })],
];

async function openBoard(browser, options) {
  const page = await sit(browser, options);
  for (const [address, answer] of ANSWERS) await page.route(address, (route) => route.fulfill(answer(route.request().url())));
  await page.routeWebSocket(/\/live/, (socket) => socket.send(JSON.stringify({ type: "state", re: null, ...JSON.parse(file("state.json")) })));
  await page.goto(`${SERVER}#/match/frames/frames`);
  await page.waitForSelector(".counter");
  assert.equal(await page.locator(".counter").count(), 300, `${game} has not 300 counters on it`);
  await page.waitForTimeout(SETTLED);
  return page;
}

async function openNothing(browser, options) {
  const page = await sit(browser, options);
  await page.setContent('<body style="margin:0"><div class="map" style="position:fixed;inset:0"><i style="position:absolute;width:40px;height:40px;background:#888;will-change:transform"></i></div>');
  await page.evaluate(() => {
    const [map, box] = [document.querySelector(".map"), document.querySelector("i")];
    let scale = 1;
    const move = (event) => (box.style.transform = `translate(${event.clientX}px,${event.clientY}px) scale(${scale})`);
    map.addEventListener("pointermove", move);
    map.addEventListener("wheel", (event) => move(event, (scale *= Math.exp(-event.deltaY / 700))));
  });
  return page;
}

/** Do something at every frame, in the page. */
const GESTURES = {
  drag: (map, i, frames) => {
    const { width, height } = map.getBoundingClientRect();
    const clientX = width * (0.5 + 0.4 * Math.sin(i / 15));
    const clientY = height * (0.5 + 0.3 * Math.cos(i / 20));
    const type = i === 0 ? "pointerdown" : i === frames - 1 ? "pointerup" : "pointermove";
    map.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: "mouse", clientX, clientY, bubbles: true }));
  },
  zoom: (map, i) => {
    const { width, height } = map.getBoundingClientRect();
    const deltaY = i % 120 < 60 ? -14 : 14; // far from the ends of the scale, where nothing would move
    map.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: width / 2, clientY: height / 2, bubbles: true, cancelable: true }));
  },
};

async function perform(page, gesture) {
  await page.evaluate(
    ([source, frames]) =>
      new Promise((done) => {
        const act = eval(source);
        const map = document.querySelector(".map");
        let i = 0;
        const next = () => {
          act(map, i++, frames);
          if (i < frames) requestAnimationFrame(next);
          else done();
        };
        requestAnimationFrame(next);
      }),
    [String(GESTURES[gesture]), FRAMES],
  );
}

/** Times between frames that the compositor drew. */
async function measure(browser, page, gesture) {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"] });
  await perform(page, gesture);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const drawn = traceEvents.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts / 1000).sort((a, b) => a - b);
  const gaps = drawn.slice(1).map((time, i) => time - drawn[i]).sort((a, b) => a - b);
  const at = (part) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * part))];
  return { frames: gaps.length, median: at(0.5), most: at(0.95), worst: gaps.at(-1) };
}

for (const [width, options] of [["desktop", DESKTOP], ["phone", PHONE]]) {
  const browser = await openBrowser();
  const [nothing, board] = [await openNothing(browser, options), await openBoard(browser, options)];
  for (const gesture of Object.keys(GESTURES)) {
    await nothing.bringToFront();
    const idle = await measure(browser, nothing, gesture);
    await board.bringToFront();
    const { frames, median, most, worst } = await measure(browser, board, gesture);
    await board.waitForTimeout(3000);
    console.log(
      `${width}, ${gesture}: ${frames} frames, median ${median.toFixed(1)} ms (${(median / idle.median).toFixed(2)} of an empty page), ` +
        `95 % within ${most.toFixed(1)} ms (${(most / idle.most).toFixed(2)}), worst ${worst.toFixed(1)} ms (empty: ${idle.median.toFixed(1)}, ${idle.most.toFixed(1)}, ${idle.worst.toFixed(1)})`,
    );
  }
  await browser.close();
}
