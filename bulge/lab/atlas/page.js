"use strict";
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
show();
