// SPDX-License-Identifier: Apache-2.0
import { colour, element, GUTTER, MARGIN, taskColour, time } from "./dom.js";

const AXIS = 24;
// Places in a decision's row; page_data.cpp writes them.
const [T, CPU, KIND, TASK, NR, OTHER, WHY, EXTRA, STATE] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** One run: a row a CPU, tasks as bars, decisions as marks; zoom by wheel or keys, pan by drag. */
export class Timeline {
  constructor(place, recording, words) {
    Object.assign(this, { recording, words, onView: () => {}, highlighted: null, selected: -1 });
    this.start = recording.start;
    this.end = Math.max(recording.end, recording.start + 1);
    [this.from, this.to] = [this.start, this.end];
    this.rowHeight = recording.cpus <= 8 ? 34 : recording.cpus <= 24 ? 22 : 14;
    this.height = AXIS + recording.cpus * this.rowHeight + 2;
    this.bars = this.findBars();
    this.build(place);
    this.resize();
    this.describe(-1);
  }

  kind(decision) {
    return this.words.kinds[decision[KIND]];
  }

  name(task) {
    return task < 0 ? "idle" : this.recording.tasks[task] ?? `task ${task}`;
  }

  /** By CPU: [from, to, task, index of the pick]. */
  findBars() {
    const bars = Array.from({ length: this.recording.cpus }, () => []);
    const open = new Array(this.recording.cpus).fill(null);
    this.recording.decisions.forEach((decision, index) => {
      const cpu = decision[CPU];
      if (this.kind(decision) !== "pick" || !bars[cpu]) return;
      if (open[cpu] && open[cpu][2] === decision[TASK]) return;
      if (open[cpu]) open[cpu][1] = decision[T];
      open[cpu] = decision[TASK] < 0 ? null : [decision[T], this.end, decision[TASK], index];
      if (open[cpu]) bars[cpu].push(open[cpu]);
    });
    return bars;
  }

  build(place) {
    const button = (text, label, act) => {
      const out = element("button", { type: "button" }, text);
      out.setAttribute("aria-label", label);
      out.addEventListener("click", act);
      return out;
    };
    const bar = element("div", { className: "toolbar" },
      button("+", "Zoom in", () => this.zoom(0.5)),
      button("\u2212", "Zoom out", () => this.zoom(2)),
      button("\u25c0", "Earlier", () => this.pan(-0.25)),
      button("\u25b6", "Later", () => this.pan(0.25)),
      button("Whole run", "Show the whole run", () => this.setView(this.start, this.end)));
    if (this.recording.mark !== null) {
      bar.append(button("First difference", "Zoom to the first difference", () => this.toMark()));
    }
    this.range = element("span", { className: "range" });
    bar.append(this.range);

    this.canvas = element("canvas", { className: "timeline", tabIndex: 0 });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label",
      `Timeline of ${this.recording.cpus} CPUs. Arrows pan, plus and minus zoom, 0 shows all, ` +
      "n and p step through the decisions.");
    this.detail = element("div", { className: "detail" });
    this.detail.setAttribute("aria-live", "polite");
    place.append(bar, this.canvas, this.detail, this.legend());
    this.listen();
  }

  legend() {
    const out = element("div", { className: "tasks" });
    const most = 40;
    this.recording.tasks.slice(0, most).forEach((name, task) => {
      const swatch = element("i");
      swatch.style.background = taskColour(task);
      const button = element("button", { type: "button" }, swatch, name);
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        this.highlighted = this.highlighted === task ? null : task;
        out.querySelectorAll("button").forEach((each, i) =>
          each.setAttribute("aria-pressed", String(i === this.highlighted)));
        this.draw();
      });
      out.append(button);
    });
    const rest = this.recording.tasks.length - most;
    if (rest > 0) out.append(element("span", {}, `and ${rest} more`));
    out.append(element("span", { className: "marks" },
      "\u25b2 wakeup \u00a0 \u25bc preemption \u00a0 \u25c6 migration"));
    return out;
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("wheel", (event) => {
      // Nothing further out to see: the wheel scrolls the page again.
      const whole = this.from === this.start && this.to === this.end;
      if (whole && event.deltaY > 0 && event.deltaX === 0) return;
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return this.pan(event.deltaX / 800);
      this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 240))), this.timeAt(event.offsetX));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      this.drag = { x: event.offsetX, from: this.from, to: this.to };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.drag) return this.hover(event.offsetX, event.offsetY);
      const shift = (this.drag.x - event.offsetX) / this.plotWidth() * (this.to - this.from);
      this.setView(this.drag.from + shift, this.drag.to + shift);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, () => (this.drag = null));
    }
    canvas.addEventListener("dblclick", () => this.setView(this.start, this.end));
    const keys = {
      ArrowLeft: () => this.pan(-0.1),
      ArrowRight: () => this.pan(0.1),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      0: () => this.setView(this.start, this.end),
      Home: () => this.setView(this.start, this.end),
      n: () => this.step(1),
      p: () => this.step(-1),
    };
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  plotWidth() {
    return Math.max(this.width - GUTTER - MARGIN, 10);
  }
  x(t) {
    return GUTTER + (t - this.from) / (this.to - this.from) * this.plotWidth();
  }
  timeAt(x) {
    return this.from + (x - GUTTER) / this.plotWidth() * (this.to - this.from);
  }

  zoom(by, around = (this.from + this.to) / 2) {
    this.setView(around - (around - this.from) * by, around + (this.to - around) * by);
  }
  pan(part) {
    const shift = part * (this.to - this.from);
    this.setView(this.from + shift, this.to + shift);
  }
  toMark() {
    const width = (this.end - this.start) / 40;
    this.setView(this.recording.mark - width, this.recording.mark + width);
  }

  /** Shows [from, to], moved and cut to lie in the run, and tells `onView`. */
  setView(from, to) {
    const whole = this.end - this.start;
    const width = Math.min(Math.max(to - from, Math.min(whole, 100)), whole);
    const middle = (from + to) / 2;
    const first = Math.min(Math.max(middle - width / 2, this.start), this.end - width);
    if (first === this.from && first + width === this.to) return;
    [this.from, this.to] = [first, first + width];
    this.draw();
    this.onView(this.from, this.to);
  }

  /** The nearest mark within 5 pixels, else the bar under the pointer. */
  hover(x, y) {
    const cpu = Math.floor((y - AXIS) / this.rowHeight);
    let best = -1;
    let distance = 5;
    this.recording.decisions.forEach((decision, index) => {
      if (decision[CPU] !== cpu || decision[T] < this.from || decision[T] > this.to) return;
      const far = Math.abs(this.x(decision[T]) - x);
      if (far < distance || (far === distance && best >= 0)) [best, distance] = [index, far];
    });
    const t = this.timeAt(x);
    const bar = (this.bars[cpu] ?? []).find((each) => each[0] <= t && t < each[1]);
    this.selected = best >= 0 ? best : bar ? bar[3] : -1;
    this.describe(this.selected, bar);
    this.draw();
  }

  step(by) {
    const count = this.recording.decisions.length;
    if (count === 0) return;
    const at = this.selected < 0 ? (by > 0 ? 0 : count - 1) : this.selected + by;
    this.selected = Math.min(Math.max(at, 0), count - 1);
    const t = this.recording.decisions[this.selected][T];
    if (t < this.from || t > this.to) {
      const half = (this.to - this.from) / 2;
      this.setView(t - half, t + half);
    }
    this.describe(this.selected);
    this.draw();
  }

  sentence(decision) {
    const why = this.words.whys[decision[WHY]];
    const kind = this.kind(decision);
    const extra = decision[EXTRA];
    const other = decision[OTHER] < 0 && why ? why : this.name(decision[OTHER]);
    const more = {
      pick: ` (${why}) after ${this.name(decision[OTHER])}`,
      wake: ` by ${other}${extra ? ", preempts" : ""}`,
      fork: ` by ${other}${extra ? ", preempts" : ""}`,
      renice: ` to nice ${extra}`,
      affinity: ` to CPUs ${extra}`,
      migrate: ` from CPU ${extra} (${why})`,
      preempt: ` (${why})`,
    }[kind] ?? "";
    return `${kind} ${this.name(decision[TASK])}${more}`;
  }

  describe(index, bar) {
    const decision = this.recording.decisions[index];
    if (!decision) {
      this.detail.replaceChildren(element("span", { className: "hint" },
        "Wheel or + \u2212 zooms, drag or arrows pan; point at a bar or mark, or step with n and p."));
      return;
    }
    const keys = this.recording.keys.map((key, i) => [key, decision[STATE + i]])
      .filter((pair, i) => decision[TASK] >= 0 || i >= this.recording.taskKeys);
    const facts = [`${time(decision[T], 7)}`, `CPU ${decision[CPU]}`, `runnable ${decision[NR]}`,
      ...keys.map(([key, value]) => `${key} ${value}`)];
    if (bar) facts.push(`runs for ${time(bar[1] - bar[0])}`);
    this.detail.replaceChildren(
      element("strong", {}, this.sentence(decision)),
      element("span", {}, facts.join(" \u00b7 ")));
  }

  resize() {
    this.width = Math.max(this.canvas.parentElement.clientWidth, 200);
    const scale = devicePixelRatio || 1;
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.scale = scale;
    this.draw();
  }

  draw() {
    const pen = this.canvas.getContext("2d");
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    this.range.textContent = `${time(this.from)} \u2013 ${time(this.to)}`;
    this.drawAxis(pen);
    pen.save();
    pen.beginPath();
    pen.rect(GUTTER, 0, this.plotWidth() + 1, this.height);
    pen.clip();
    for (let cpu = 0; cpu < this.recording.cpus; ++cpu) this.drawBars(pen, cpu);
    this.drawMarks(pen);
    if (this.recording.mark !== null) this.drawMark(pen);
    pen.restore();
  }

  drawAxis(pen) {
    const span = this.to - this.from;
    const rough = span / Math.max(this.plotWidth() / 110, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const tick = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
    pen.textAlign = "center";
    for (let t = Math.ceil(this.from / tick) * tick; t <= this.to; t += tick) {
      pen.fillStyle = colour("--line");
      pen.fillRect(this.x(t), AXIS - 4, 1, this.height);
      pen.fillStyle = colour("--quiet");
      const half = 26;
      pen.fillText(time(t, 6), Math.min(Math.max(this.x(t), GUTTER + half), this.width - half), 9);
    }
    pen.textAlign = "left";
    for (let cpu = 0; cpu < this.recording.cpus; ++cpu) {
      const y = AXIS + cpu * this.rowHeight;
      pen.fillStyle = colour("--line");
      pen.fillRect(0, y, this.width, 1);
      pen.fillStyle = colour("--text");
      pen.fillText(`CPU ${cpu}`, 4, y + this.rowHeight / 2);
    }
  }

  drawBars(pen, cpu) {
    const y = AXIS + cpu * this.rowHeight + 4;
    const height = this.rowHeight - 11;
    let covered = -1;
    for (const [from, to, task] of this.bars[cpu]) {
      if (to < this.from || from > this.to) continue;
      const left = Math.max(this.x(from), GUTTER - 2);
      const width = Math.max(Math.min(this.x(to), this.width) - left, 1);
      // Bars thinner than a pixel that fall on a drawn pixel cannot be seen.
      if (width <= 1 && left - covered < 0.5) continue;
      covered = left;
      const quiet = this.highlighted !== null && this.highlighted !== task;
      pen.fillStyle = taskColour(task, quiet ? 0.18 : 1);
      pen.fillRect(left, y, Math.max(width - (width > 4 ? 1 : 0), 1), height);
      if (width < 30 || height < 9 || quiet) continue;
      pen.save();
      pen.beginPath();
      pen.rect(left, y, width - 3, height);
      pen.clip();
      pen.fillStyle = colour("--on-task");
      pen.fillText(this.name(task), left + 4, y + height / 2 + 0.5);
      pen.restore();
    }
  }

  drawMarks(pen) {
    const last = new Map();
    this.recording.decisions.forEach((decision, index) => {
      if (decision[T] < this.from || decision[T] > this.to) return;
      const kind = this.kind(decision);
      const x = this.x(decision[T]);
      const top = AXIS + decision[CPU] * this.rowHeight;
      const bottom = top + this.rowHeight;
      if (index === this.selected) {
        pen.fillStyle = colour("--text");
        pen.fillRect(x - 0.5, top + 1, 1.5, this.rowHeight - 2);
      }
      const wakes = kind === "wake" || kind === "fork";
      const preempts = kind === "preempt" || (wakes && decision[EXTRA]);
      if (!wakes && !preempts && kind !== "migrate") return;
      const slot = `${decision[CPU]} ${preempts ? "preempt" : kind}`;
      if (index !== this.selected && x - (last.get(slot) ?? -9) < 3) return;
      last.set(slot, x);
      pen.fillStyle = colour(preempts ? "--bad" : kind === "migrate" ? "--warn" : "--quiet");
      pen.beginPath();
      if (preempts) {
        pen.moveTo(x - 4, top + 1), pen.lineTo(x + 4, top + 1), pen.lineTo(x, top + 7);
      } else if (kind === "migrate") {
        pen.moveTo(x, bottom - 8), pen.lineTo(x + 4, bottom - 4), pen.lineTo(x, bottom);
        pen.lineTo(x - 4, bottom - 4);
      } else {
        pen.moveTo(x - 4, bottom - 1), pen.lineTo(x + 4, bottom - 1), pen.lineTo(x, bottom - 7);
      }
      pen.fill();
    });
  }

  drawMark(pen) {
    const x = this.x(this.recording.mark);
    pen.strokeStyle = colour("--bad");
    pen.lineWidth = 1.5;
    pen.setLineDash([5, 4]);
    pen.beginPath();
    pen.moveTo(x, AXIS - 6);
    pen.lineTo(x, this.height);
    pen.stroke();
    pen.setLineDash([]);
  }
}
