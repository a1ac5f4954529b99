/**
 * Frame times while the map is dragged and zoomed, with at least 300 counters on it, from the browser's own trace.
 * `BULGE_SERVER=http://127.0.0.1:8765/ node scripts/frames.mjs '#/match/…'`
 */

import { openBrowser, SERVER, sit } from "../tests/table.mjs";

const LEAST_COUNTERS = 300;
const browser = await openBrowser();
const page = await sit(browser);
await page.goto(SERVER + (process.argv[2] ?? ""));
await page.waitForSelector(".counter");
await page.waitForTimeout(5000);
await page.evaluate((least) => {
  const counters = [...document.querySelectorAll(".counter")];
  for (let i = counters.length; i < least; i++) {
    const copy = counters[i % counters.length].cloneNode(true);
    copy.style.transform = `translate(${150 + (i * 97) % 2500}px,${150 + (i * 61) % 1600}px)`;
    counters[0].parentNode.append(copy);
  }
}, LEAST_COUNTERS);
await page.waitForTimeout(2000);

/** Times between frames that the compositor drew, and how many it had to drop. */
async function measure(name, act) {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const drawn = traceEvents.filter((event) => event.name === "DrawFrame").map((event) => event.ts / 1000).sort((a, b) => a - b);
  const dropped = traceEvents.filter((event) => event.name === "DroppedFrame").length;
  const gaps = drawn.slice(1).map((time, i) => time - drawn[i]).sort((a, b) => a - b);
  const at = (part) => gaps[Math.floor(gaps.length * part)].toFixed(1);
  console.log(`${name}: ${gaps.length} frames, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${gaps.at(-1).toFixed(1)} ms, ${dropped} dropped`);
}

await measure("drag", async () => {
  await page.mouse.move(700, 500);
  await page.mouse.down();
  for (let i = 0; i < 180; i++) await page.mouse.move(700 + 300 * Math.sin(i / 15), 500 + 200 * Math.cos(i / 20));
  await page.mouse.up();
});
await measure("wheel", () =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const map = document.querySelector(".map");
        let count = 0;
        const turn = () => {
          map.dispatchEvent(new WheelEvent("wheel", { deltaY: count % 90 < 45 ? -30 : 30, clientX: 600, clientY: 450, bubbles: true, cancelable: true }));
          count += 1;
          if (count < 240) requestAnimationFrame(turn);
          else done();
        };
        requestAnimationFrame(turn);
      }),
  ),
);
await browser.close();
