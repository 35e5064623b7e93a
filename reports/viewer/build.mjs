// SPDX-License-Identifier: Apache-2.0
// Bundles the page's script and style into dist/ (or the folder given), where CMake embeds them.
import { readFileSync } from "node:fs";
import { buildSync } from "esbuild";

const outdir = process.argv[2] ?? "dist";
const license = readFileSync("node_modules/uplot/LICENSE", "utf8").trim();
const banner = `/*! Fairwitness viewer, Apache-2.0. Contains uPlot:\n\n${license}\n*/`;
buildSync({
  entryPoints: ["src/viewer.js", "src/viewer.css"],
  bundle: true,
  minify: true,
  charset: "ascii",
  target: "es2020",
  format: "iife",
  banner: { js: banner, css: banner },
  outdir,
});
