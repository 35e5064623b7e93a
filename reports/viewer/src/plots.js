// SPDX-License-Identifier: Apache-2.0
import uPlot from "uplot";
import { colour, element, GUTTER, MARGIN, taskColour, time } from "./dom.js";

// Virtual time reads in the units of real time.
const isTime = (unit) => unit === "ns" || unit === "vns";
const valueText = (unit) => (value) =>
  value === null || value === undefined ? "\u2013"
    : isTime(unit) ? time(value, 6) : String(Number(value.toPrecision(6)));

/** A series takes the colour of the task that its name ends in; bounds are dashed. */
function seriesLook(series, recording, index) {
  if (series.name.startsWith("bound")) {
    return { stroke: () => colour("--bad"), dash: [6, 4], width: 1.5 };
  }
  const task = recording.tasks.findIndex((name) => series.name.endsWith(` ${name}`));
  if (task < 0 && series.name === "spread") return { stroke: () => colour("--text"), width: 1.5 };
  return { stroke: () => taskColour(task < 0 ? index : task), width: 1.5 };
}

/** Legend entries toggle by mouse; the same by keyboard, and said to screen readers. */
function accessibleLegend(plot) {
  plot.root.querySelectorAll(".u-series th").forEach((cell, index) => {
    if (index === 0) return;
    const say = () => cell.setAttribute("aria-checked", String(plot.series[index].show));
    cell.tabIndex = 0;
    cell.setAttribute("role", "checkbox");
    say();
    cell.addEventListener("click", () => setTimeout(say));
    cell.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      plot.setSeries(index, { show: !plot.series[index].show });
      say();
    });
  });
}

function makePlot(place, recording, unit, many, onZoom) {
  const data = uPlot.join(many.map((series) => [series.t, series.y]));
  const axis = {
    stroke: () => colour("--quiet"),
    grid: { stroke: () => colour("--line"), width: 1 },
    ticks: { stroke: () => colour("--line"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  const values = (_, ticks) => ticks.map((tick) => time(tick, 6));
  const options = {
    width: Math.max(place.clientWidth, 200),
    height: 230,
    padding: [10, MARGIN, 0, 0],
    cursor: { sync: { key: `recording ${recording.id}` }, drag: { x: true, y: false } },
    scales: { x: { time: false, range: (_, min, max) => [min, max] } },
    axes: [
      { ...axis, values },
      { ...axis, size: GUTTER, values: isTime(unit) ? values : (_, ticks) => ticks.map(String),
        label: isTime(unit) ? undefined : unit, labelSize: isTime(unit) ? 0 : 20 },
    ],
    series: [
      { label: "t", value: (_, t) => (t === null ? "\u2013" : time(t, 6)) },
      ...many.map((series, index) => ({
        label: series.name,
        spanGaps: true,
        points: { show: false },
        value: (_, value) => valueText(unit)(value),
        ...seriesLook(series, recording, index),
      })),
    ],
    hooks: {
      setScale: [(plot, key) => {
        if (key === "x" && !plot.following) onZoom(plot.scales.x.min, plot.scales.x.max);
      }],
    },
  };
  const plot = new uPlot(options, data, place);
  accessibleLegend(plot);
  return plot;
}

/** Series by quantity, the first word of their names; a bound goes to what it bounds. */
function quantities(recording) {
  const out = new Map();
  const drawn = recording.series.filter((series) => series.t.length > 0);
  for (const series of drawn) {
    const words = series.name.split(" ");
    const bound = words[0] === "bound";
    const name = bound ? words[1] ?? "spread" : words[0];
    const quantity = out.get(name) ?? { many: [], bounded: false, unit: series.unit };
    quantity.many.push(series);
    quantity.bounded ||= bound;
    out.set(name, quantity);
  }
  return out;
}

/** One plot a quantity; all follow the timeline's view and lead it when zoomed by dragging. */
export function makePlots(place, recording, onZoom) {
  let ready = false;
  const zoomed = (from, to) => {
    if (ready && Number.isFinite(from) && to > from) onZoom(from, to);
  };
  const plots = [];
  for (const [name, { many, bounded, unit }] of quantities(recording)) {
    const holder = element("div", { className: "plot" });
    const title = `${name} over time${bounded ? ", against its bound" : ""}`;
    place.append(element("h4", {}, title), holder);
    plots.push(makePlot(holder, recording, unit, many, zoomed));
  }
  const setView = (from, to) => {
    for (const plot of plots) {
      plot.following = true;
      plot.batch(() => plot.setScale("x", { min: from, max: to }));
      plot.following = false;
    }
  };
  // uPlot sets its first scales after this turn; only zooms of the reader may lead the timeline.
  setTimeout(() => {
    setView(recording.start, Math.max(recording.end, recording.start + 1));
    ready = true;
  });
  return {
    setView,
    resize() {
      for (const plot of plots) {
        plot.setSize({ width: Math.max(place.clientWidth, 200), height: 230 });
      }
    },
  };
}
