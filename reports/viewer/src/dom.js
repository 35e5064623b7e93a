// SPDX-License-Identifier: Apache-2.0

/** Left and right of timelines and plots, in pixels; the same, so that their times stand in line. */
export const GUTTER = 72;
export const MARGIN = 12;

/** An element with properties and children; strings become text, never markup. */
export function element(tag, properties = {}, ...children) {
  const out = Object.assign(document.createElement(tag), properties);
  out.append(...children);
  return out;
}

const style = () => getComputedStyle(document.documentElement);

/** A colour of the style sheet, as it is now (light, dark or print). */
export const colour = (name) => style().getPropertyValue(name).trim();

const printing = matchMedia("print");
const dark = matchMedia("(prefers-color-scheme: dark)");

/** A task's colour: hues a golden angle apart, so that neighbours differ for any number of tasks. */
export function taskColour(task, strength = 1) {
  const hue = (205 + task * 137.508) % 360;
  const light = dark.matches && !printing.matches ? 66 : 38;
  return `hsl(${hue.toFixed(1)} 62% ${light}% / ${strength})`;
}

/** Nanoseconds for reading; `digits` significant ones. */
export function time(ns, digits = 4) {
  const size = Math.abs(ns);
  const [unit, by] =
    size < 1e3 ? ["ns", 1] : size < 1e6 ? ["\u00b5s", 1e3] : size < 1e9 ? ["ms", 1e6] : ["s", 1e9];
  return size === 0 ? "0" : `${Number((ns / by).toPrecision(digits))} ${unit}`;
}
