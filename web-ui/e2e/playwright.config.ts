import { defineConfig } from "@playwright/test";

/** Debian's Chromium, or the one that the launcher has found; none is downloaded. */
const chromium = process.env.EQUIPOISE_CHROMIUM ?? "/usr/bin/chromium";

/** Without the last ones it looks for updates, of which a lab without the Internet has none. */
const QUIET = ["--no-first-run", "--disable-sync", "--disable-background-networking", "--disable-component-update"];

export default defineConfig({
  globalSetup: "./open-lab.ts",
  outputDir: "../target/e2e",
  reporter: [["list"]],
  // They share one lab, and two cores.
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: {
    // Known once the lab is open.
    baseURL: process.env.EQUIPOISE_URL,
    viewport: { width: 1280, height: 860 },
    launchOptions: { executablePath: chromium, args: QUIET, chromiumSandbox: process.getuid?.() !== 0 },
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "tests", testMatch: "*.spec.ts" },
    { name: "pictures", testMatch: "pictures.ts" },
    { name: "measures", testMatch: "measures.ts" },
  ],
});
