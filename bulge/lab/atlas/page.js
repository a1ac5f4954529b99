"use strict";
const PICTURE_WIDTH = 1400;
try {
  const { theme } = JSON.parse(localStorage.getItem("bulge.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // An unreadable setting is no setting.
}
const slider = document.getElementById("days");
const days = slider.dataset.days.split(",").map(Number);
const line = document.getElementById("line");
const run = document.getElementById("run");
let timer = 0;

function show() {
  const day = days[slider.value];
  document.getElementById("day").textContent = String(day);
  slider.setAttribute("aria-valuetext", `${day} December`);
  for (const layer of document.querySelectorAll("[data-day]")) {
    const old = Number(layer.dataset.day) !== day;
    layer.hidden = old;
    layer.style.display = old ? "none" : "";
  }
  document.body.classList.toggle("no-line", !line.checked);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  run.textContent = "▶";
  run.setAttribute("aria-label", "Play the days");
}

run.addEventListener("click", () => {
  if (timer) return stop();
  if (Number(slider.value) === days.length - 1) slider.value = "0";
  run.textContent = "❚❚";
  run.setAttribute("aria-label", "Pause");
  timer = setInterval(() => {
    slider.value = String(Number(slider.value) + 1);
    show();
    if (Number(slider.value) === days.length - 1) stop();
  }, 900);
  show();
});
slider.addEventListener("input", () => { stop(); show(); });
line.addEventListener("change", show);
for (const button of document.querySelectorAll(".larger")) {
  button.addEventListener("click", () => {
    const card = button.closest(".model");
    const one = card.parentElement.classList.toggle("one");
    card.classList.toggle("large", one);
    button.textContent = one ? "All models" : "Larger map";
    card.scrollIntoView({ block: "nearest" });
  });
}

/** The map as it is shown now, as a drawing that needs nothing of this page. */
function drawing(map) {
  const copy = map.cloneNode(true);
  for (const layer of copy.querySelectorAll("[data-day]")) {
    if (layer.style.display === "none" || (!line.checked && layer.matches(".line-of-1944"))) layer.remove();
  }
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = rules.filter((rule) => rule.startsWith(".ground")).join("");
  copy.prepend(style);
  const { width, height } = map.viewBox.baseVal;
  copy.setAttribute("width", PICTURE_WIDTH);
  copy.setAttribute("height", Math.round((PICTURE_WIDTH * height) / width));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

async function painted(blob) {
  const picture = new Image();
  picture.src = URL.createObjectURL(blob);
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  URL.revokeObjectURL(picture.src);
  return new Promise((done) => canvas.toBlob(done));
}

for (const button of document.querySelectorAll(".take")) {
  button.addEventListener("click", async () => {
    const card = button.closest(".model");
    const svg = drawing(card.querySelector(".ground"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(button.value === "png" ? await painted(svg) : svg);
    link.download = `map-${card.dataset.model}-${days[slider.value]}.${button.value}`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
show();
