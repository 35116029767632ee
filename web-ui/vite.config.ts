import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

import { PATIENCE_MS } from "./src/shared/testing-patience";

const HOME = fileURLToPath(new URL("./target/home", import.meta.url));

/** Folders of the test processes, which must not be those of the user. */
const FOLDERS = {
  HOME,
  XDG_CONFIG_HOME: `${HOME}/config`,
  XDG_DATA_HOME: `${HOME}/data`,
  XDG_STATE_HOME: `${HOME}/state`,
  XDG_CACHE_HOME: `${HOME}/cache`,
};

export default defineConfig({
  // The service puts its own path in front of the addresses in the page; all others stay relative to their file.
  base: "./",
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2023",
    // A strict content security policy forbids inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The texts that the licenses of the bundled libraries ask to distribute; NOTICE names this file.
    license: { fileName: "licenses.md" },
  },
  server: {
    proxy: { "/api": process.env.EQUIPOISE_URL ?? "http://127.0.0.1:8080" },
    // The documentation is beside this folder.
    fs: { allow: [".", "../docs"] },
  },
  test: {
    env: { TZ: "UTC", ...FOLDERS },
    // A test may wait several times; it must fail at the wait, and not at this limit.
    testTimeout: 5 * PATIENCE_MS,
    unstubGlobals: true,
    projects: [
      { extends: true, test: { name: "functions", include: ["{src,scripts}/**/*.test.{ts,mjs}"], isolate: false } },
      {
        extends: true,
        test: {
          name: "pages",
          include: ["src/**/*.test.tsx"],
          environment: "happy-dom",
          setupFiles: ["src/app/test-setup.ts"],
        },
      },
    ],
  },
});
