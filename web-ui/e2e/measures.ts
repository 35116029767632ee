import { appendFileSync } from "node:fs";
import process from "node:process";
import type { Page } from "@playwright/test";

import { asAdministrator, expect, test } from "./dashboard";

const COMPARED = (process.env.EQUIPOISE_COMPARED ?? "").split(",");
const LIVE = process.env.EQUIPOISE_LIVE ?? "";
const TRIES = 5;

test.beforeEach(async ({ page }) => {
  await asAdministrator(page);
});

test("the first view", async ({ browser }) => {
  const bytes: number[] = [];
  const times: number[] = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    // A browser context without a cache.
    const context = await browser.newContext();
    const page = await context.newPage();
    await asAdministrator(page);
    const scripts = await countScripts(page);
    await page.goto("/runs");
    times.push(await page.evaluate(untilShown, '[role="row"] a'));
    bytes.push(scripts());
    await context.close();
  }
  tell("script of the first view, compressed", median(bytes) / 1000, "kB", { below: 300 });
  tell("first view to interactive", median(times), "ms", { below: 1500 });
});

test("a table of 5,000 runs", async ({ page }) => {
  await page.goto("/runs");
  await expect(page.locator('[role="row"] a').first()).toBeVisible();
  await page.evaluate(readAll);
  const frames = await page.evaluate(scroll, 5_000);
  tell("frames a second while the table scrolls", frames.length / 5, "", { above: 50 });
  tell("longest frame while the table scrolls", Math.max(...frames), "ms");
});

test("a comparison of 20 runs with 100,000 points each", async ({ page }) => {
  const times: number[] = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await page.goto("/runs");
    await expect(page.locator('[role="row"] a').first()).toBeVisible();
    const before = await page.evaluate(() => performance.now());
    await page.evaluate(
      (path) => {
        history.pushState(null, "", path);
        window.dispatchEvent(new PopStateEvent("popstate"));
      },
      // The runs differ in their seeds alone, so that they would be one curve.
      `/compare?group=each&runs=${encodeURIComponent(JSON.stringify(COMPARED))}`,
    );
    times.push((await page.evaluate(untilDrawn, COMPARED.length)) - before);
  }
  tell("a comparison of 20 runs, to its curves", median(times), "ms", { below: 1000 });
});

test("a live run", async ({ page, browser }) => {
  const seconds = 20;
  await page.goto(`/runs/${LIVE}`);
  await expect(page.locator("canvas").first()).toBeVisible();
  await page.waitForTimeout(5_000);
  const session = await browser.newBrowserCDPSession();
  const before = await processorSeconds(session);
  const changes = await page.evaluate(countChanges, seconds * 1000);
  const used = (await processorSeconds(session)) - before;
  tell("a live run, share of a core of all the browser's processes", (100 * used) / seconds, "%", { below: 10 });
  tell("a live run, seconds with something new", changes / seconds, "");
});

test("the requests of a live run", async ({ page }) => {
  const minutes = 1;
  const traffic = await countTraffic(page);
  await page.goto(`/runs/${LIVE}`);
  await expect(page.locator("canvas").first()).toBeVisible();
  await page.waitForTimeout(10_000);
  const before = traffic();
  await page.waitForTimeout(minutes * 60_000);
  const after = traffic();
  tell("requests to the service a minute, a live run", (after.requests - before.requests) / minutes, "");
  tell("bytes from the service a minute, a live run", (after.bytes - before.bytes) / minutes / 1000, "kB");
});

interface Bound {
  readonly below?: number;
  readonly above?: number;
}

function tell(what: string, value: number, unit: string, { below, above }: Bound = {}): void {
  const holds = (below === undefined || value < below) && (above === undefined || value >= above);
  const wanted =
    below !== undefined ? `below ${below.toString()}` : above !== undefined ? `from ${above.toString()}` : "";
  const verdict = wanted === "" ? "" : holds ? "reached" : "MISSED";
  console.log(`${what.padEnd(62)} ${`${value.toFixed(1)} ${unit}`.padStart(12)}  ${wanted.padEnd(12)} ${verdict}`);
  if (process.env.EQUIPOISE_FIGURES !== undefined) {
    appendFileSync(process.env.EQUIPOISE_FIGURES, `${JSON.stringify({ what, value, unit, below, above, holds })}\n`);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Counts the bytes of scripts on the wire. */
async function countScripts(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ type, requestId }) => {
    if (type === "Script") {
      scripts.add(requestId);
    }
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes += scripts.has(requestId) ? encodedDataLength : 0;
  });
  await session.send("Network.enable");
  return () => bytes;
}

interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

/** Counts the requests to the service, and the bytes of their responses and of the event stream. */
async function countTraffic(page: Page): Promise<() => Traffic> {
  const session = await page.context().newCDPSession(page);
  const calls = new Set<string>();
  const bytes = new Map<string, number>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (new URL(request.url).pathname.startsWith("/api/")) {
      calls.add(requestId);
    }
  });
  session.on("Network.dataReceived", ({ requestId, dataLength }) => {
    if (calls.has(requestId)) {
      bytes.set(requestId, (bytes.get(requestId) ?? 0) + dataLength);
    }
  });
  await session.send("Network.enable");
  return () => ({ requests: calls.size, bytes: [...bytes.values()].reduce((sum, each) => sum + each, 0) });
}

type BrowserSession = Awaited<ReturnType<import("@playwright/test").Browser["newBrowserCDPSession"]>>;

async function processorSeconds(session: BrowserSession): Promise<number> {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

// The following functions run in the page, so each is self-contained.

/** Returns the milliseconds from the start of the navigation until the selector matches and a frame has shown it. */
async function untilShown(selector: string): Promise<number> {
  while (document.querySelector(selector) === null) {
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
  return performance.now();
}

/** Returns when a legend has this number of curves and a frame has shown them. */
async function untilDrawn(curves: number): Promise<number> {
  while (document.querySelectorAll("figure button[aria-pressed]").length < curves) {
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
  return performance.now();
}

/** Scrolls to the end until no more rows come. */
async function readAll(): Promise<void> {
  const frame = document.querySelector('[role="table"]')?.parentElement;
  if (!frame) {
    throw new Error("There is no table");
  }
  let before = -1;
  let unchanged = 0;
  while (unchanged < 60) {
    frame.scrollTop = frame.scrollHeight;
    unchanged = frame.scrollHeight === before ? unchanged + 1 : 0;
    before = frame.scrollHeight;
    await new Promise(requestAnimationFrame);
  }
}

/** Returns the milliseconds of each frame while the table scrolls up and down, a few rows per frame. */
async function scroll(milliseconds: number): Promise<number[]> {
  const frame = document.querySelector('[role="table"]')?.parentElement;
  if (!frame) {
    throw new Error("There is no table");
  }
  const frames: number[] = [];
  const begun = performance.now();
  let last = begun;
  let step = -150;
  while (last - begun < milliseconds) {
    frame.scrollTop += step;
    if (frame.scrollTop <= 0 || frame.scrollTop + frame.clientHeight >= frame.scrollHeight) {
      step = -step;
    }
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  return frames;
}

/** Returns the number of seconds in which something on the page has changed. */
async function countChanges(milliseconds: number): Promise<number> {
  const seconds = new Set<number>();
  const begun = performance.now();
  const observer = new MutationObserver(() => seconds.add(Math.floor((performance.now() - begun) / 1000)));
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  observer.disconnect();
  return seconds.size;
}
