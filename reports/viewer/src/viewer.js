// SPDX-License-Identifier: Apache-2.0
// The page is readable without this script; it adds what moves: timelines, plots, copy buttons.
// Names come from users' files: they reach the page as textContent or canvas text only.
import { element } from "./dom.js";
import { makePlots } from "./plots.js";
import { Timeline } from "./timeline.js";

function copyButtons() {
  for (const block of document.querySelectorAll(".command pre")) {
    const text = block.textContent;
    const button = element("button", { type: "button", className: "copy" }, "Copy");
    button.addEventListener("click", () => {
      const done = (word) => {
        button.textContent = word;
        setTimeout(() => (button.textContent = "Copy"), 1500);
      };
      if (navigator.clipboard) {
        navigator.clipboard.writeText(text).then(() => done("Copied"), () => done("Select it"));
      } else {
        getSelection().selectAllChildren(block);
        done("Selected");
      }
    });
    block.after(button);
  }
}

function show(place, recording, whole) {
  const timeline = new Timeline(place, recording, whole);
  const plots = makePlots(place, recording, (from, to) => timeline.setView(from, to));
  timeline.onView = plots.setView;
  const redraw = () => {
    timeline.resize();
    plots.resize();
  };
  new ResizeObserver(redraw).observe(place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", redraw);
  addEventListener("afterprint", redraw);
}

const whole = JSON.parse(document.getElementById("data").textContent);
copyButtons();
for (const place of document.querySelectorAll(".recording[data-recording]")) {
  const recording = whole.recordings[Number(place.dataset.recording)];
  if (recording) show(place, recording, whole);
}
document.documentElement.dataset.ready = "yes";
