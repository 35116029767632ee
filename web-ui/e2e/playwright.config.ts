import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { defineConfig } from "@playwright/test";

import { PATIENCE_MS } from "../src/shared/testing-patience";

/** Debian's Chromium, or the one that the launcher has found; none is downloaded. */
const chromium = process.env.EQUIPOISE_CHROMIUM ?? "/usr/bin/chromium";

/** The last options stop requests for updates, which fail without the Internet. */
const QUIET = ["--no-first-run", "--disable-sync", "--disable-background-networking", "--disable-component-update"];

/** Chromium keeps crash reports, settings and certificates below the home folder, which must not be the user's. */
const HOME = join(import.meta.dirname, "../target/home");
mkdirSync(HOME, { recursive: true });

const ENVIRONMENT = Object.fromEntries(
  Object.entries({
    ...process.env,
    HOME,
    XDG_CONFIG_HOME: join(HOME, "config"),
    XDG_CACHE_HOME: join(HOME, "cache"),
    XDG_DATA_HOME: join(HOME, "data"),
    XDG_STATE_HOME: join(HOME, "state"),
  }).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

export default defineConfig({
  globalSetup: "./open-lab.ts",
  outputDir: "../target/e2e",
  reporter: [["list"], ["./flaky-reporter.ts"]],
  // Tests share one lab and two cores.
  workers: 1,
  timeout: 5 * PATIENCE_MS,
  expect: { timeout: PATIENCE_MS },
  forbidOnly: true,
  use: {
    // Known once the lab is started.
    baseURL: process.env.EQUIPOISE_URL,
    viewport: { width: 1280, height: 860 },
    launchOptions: {
      executablePath: chromium,
      args: QUIET,
      chromiumSandbox: process.getuid?.() !== 0,
      env: ENVIRONMENT,
    },
    actionTimeout: 30_000,
    navigationTimeout: PATIENCE_MS,
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
  },
  projects: [
    // A test that passes only when it is run again is reported as FLAKY.
    { name: "tests", testMatch: "*.spec.ts", retries: 2, use: { trace: "retain-on-failure" } },
    { name: "pictures", testMatch: "pictures.ts" },
    { name: "curves", testMatch: "curves.ts" },
    { name: "measures", testMatch: "measures.ts", use: { contextOptions: { reducedMotion: "no-preference" } } },
  ],
});
