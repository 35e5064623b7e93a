// SPDX-License-Identifier: Apache-2.0
// node browser_test.mjs SAMPLE_DIR HOSTILE_DIR LARGE_DIR OUT_DIR: opens the sample reports in Chromium and uses
// them as a person would. Any console message of level error, exception or network request fails it.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [sample, hostile, large, out] = process.argv.slice(2).map((path) => resolve(path));
const chrome = process.env.CHROMIUM ?? "/usr/bin/chromium";
const profile = mkdtempSync(join(tmpdir(), "viewer-test-"));
mkdirSync(out, { recursive: true });

const options = (more = {}) => ({
  executablePath: chrome,
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking"],
  viewport: { width: 1280, height: 900 },
  ...more,
});

async function inBrowser(name, dir, more, use) {
  const context = await chromium.launchPersistentContext(join(profile, name), options(more));
  const troubles = [];
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const own = pathToFileURL(join(dir, "index.html")).href;
  page.on("request", (request) => {
    const url = request.url().split("#")[0];
    if (url !== own && !url.startsWith("data:")) troubles.push(`request: ${url}`);
  });
  try {
    await page.goto(own);
    if (more.javaScriptEnabled !== false) await page.waitForSelector("html[data-ready=yes]");
    await use(page);
    assert.deepEqual(troubles, [], `${name}: the page must be silent`);
    console.log(`ok ${name}`);
  } finally {
    await context.close();
  }
}

const range = (page) => page.locator("#failure-1 .range").textContent();
async function picture(page, name) {
  await page.screenshot({ path: join(out, `${name}.png`), fullPage: true });
  await page.screenshot({ path: join(out, `${name}-top.png`) });
}

/** Whether every pixel of a canvas has one colour: nothing was drawn. */
const blank = (locator) => locator.evaluate((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const words = new Uint32Array(data.buffer);
  return words.every((word) => word === words[0]);
});

async function verdictAndTables(page) {
  assert.equal(await page.locator("header .word").textContent(), "falsified");
  assert.match(await page.locator("header h1").textContent(), /2 failures/);
  assert.match(await page.locator("#failure-1 .command pre").textContent(), /^fairwitness replay /);
  assert.match(await page.locator("#failure-1 ul.case").textContent(), /hog x2, nice 0/);
  const cells = await page.locator("#failure-2 table.data").first().locator("tbody tr").first()
    .locator("td").allTextContents();
  assert.deepEqual(cells, ["vruntime(hog-0)", "12", "13"]);
  assert.match(await page.locator("#required").textContent(), /never reached/);
  assert.equal(await page.locator("#mutants .is-bad").textContent(), "SURVIVED");
}

async function timeline(page) {
  const canvas = page.locator("#failure-1 canvas.timeline");
  assert.equal(await blank(canvas), false, "the timeline is drawn");
  const whole = await range(page);
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 45);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction(
    (old) => document.querySelector("#failure-1 .range").textContent !== old, whole);
  const zoomed = await range(page);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 120, box.y + 45, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await range(page), zoomed, "dragging pans");
  await page.mouse.move(box.x + box.width / 3, box.y + 45);
  const detail = page.locator("#failure-1 .detail");
  assert.match(await detail.textContent(), /pick (hog-0|waker-2) \(.*CPU 0.*v \d+/, "hover explains");

  await canvas.focus();
  await page.keyboard.press("0");
  assert.equal(await range(page), whole, "0 shows the whole run");
  await page.keyboard.press("+");
  assert.notEqual(await range(page), whole, "+ zooms");
  await page.keyboard.press("n");
  const first = await detail.textContent();
  await page.keyboard.press("n");
  assert.notEqual(await detail.textContent(), first, "n steps through the decisions");
  await page.getByRole("button", { name: "Zoom to the first difference" }).click();
  assert.match(await range(page), /^3\d\.\d+ ms/, "the first difference is shown");
  await page.getByRole("button", { name: "Show the whole run" }).first().click();
  const task = page.locator("#failure-1 .tasks button").first();
  await task.click();
  assert.equal(await task.getAttribute("aria-pressed"), "true");
  await task.click();
}

async function plots(page) {
  const plot = page.locator("#failure-1 .plot").first();
  assert.equal(await blank(plot.locator("canvas")), false, "the plot is drawn");
  const entry = plot.locator(".u-series th").nth(1);
  assert.equal(await entry.getAttribute("aria-checked"), "true");
  await entry.click();
  await page.waitForFunction(
    (cell) => cell.getAttribute("aria-checked") === "false", await entry.elementHandle());
  assert.match(await plot.locator(".u-series").nth(1).getAttribute("class"), /u-off/);
  await entry.focus();
  await page.keyboard.press("Enter");
  assert.equal(await entry.getAttribute("aria-checked"), "true", "Enter shows it again");
  const whole = await range(page);
  const box = await plot.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 });
  await page.mouse.up();
  assert.notEqual(await range(page), whole, "zooming the plot zooms the timeline");
  await page.getByRole("button", { name: "Show the whole run" }).first().click();
  assert.equal(await range(page), whole);
  assert.deepEqual(await page.locator("#failure-1 h4").allTextContents(),
    ["vruntime over time", "spread over time, against its bound"]);
}

try {
  await inBrowser("light", sample, { colorScheme: "light" }, async (page) => {
    await verdictAndTables(page);
    await timeline(page);
    await plots(page);
    await page.locator("button.copy").first().click();
    await page.mouse.move(0, 0);
    await picture(page, "light");
  });
  await inBrowser("dark", sample, { colorScheme: "dark" }, (page) => picture(page, "dark"));
  await inBrowser("narrow", sample, { viewport: { width: 390, height: 844 } }, async (page) => {
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0, "nothing is wider than a phone");
    await picture(page, "narrow");
  });
  await inBrowser("no script", sample, { javaScriptEnabled: false }, async (page) => {
    await verdictAndTables(page);
    await page.locator("#failure-1 summary").click();
    assert.match(await page.locator("#failure-1 details pre").textContent(), /CPU 0 +\|/);
  });
  await inBrowser("hostile names", hostile, {}, async (page) => {
    assert.equal(await page.locator("img").count(), 0, "a name must not become an element");
    assert.equal(await page.locator("script").count(), 2);
    const name = "x</script><img src=x onerror=alert(1)>";
    assert.ok((await page.locator("#failure-1 h2").textContent()).includes(name));
    assert.ok((await page.locator("#failure-1 .tasks button").first().textContent()).includes(name));
    assert.ok((await page.locator("#failure-1 .u-legend").first().textContent()).includes(name));
    await page.locator("#failure-1 canvas.timeline").focus();
    for (let i = 0; i < 6; ++i) await page.keyboard.press("n");
    await picture(page, "hostile");
  });
  await inBrowser("large", large, {}, async (page) => {
    const canvas = page.locator("#runs canvas.timeline").last();
    assert.equal(await blank(canvas), false);
    assert.match(await page.locator("#runs").textContent(),
      /Shown: 20,000 of 300,000 decisions.*Plotted: 40 of 50 series/);
    await canvas.focus();
    const milliseconds = await page.evaluate(() => {
      const from = performance.now();
      for (const key of ["+", "+", "ArrowRight", "n", "-"]) {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key }));
      }
      return performance.now() - from;
    });
    console.log(`   5 keys took ${milliseconds.toFixed(0)} ms`);
    assert.ok(milliseconds < 5000, "zooming a large run stays usable");
    await picture(page, "large");
  });
  await inBrowser("print", sample, {}, async (page) => {
    await page.pdf({ path: join(out, "print.pdf"), format: "A4", printBackground: true });
  });
} finally {
  rmSync(profile, { recursive: true, force: true });
}
