import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2023",
    // A strict content security policy lets nothing through that stands inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": process.env.EQUIPOISE_URL ?? "http://127.0.0.1:8080" } },
  test: {
    env: { TZ: "UTC" },
    testTimeout: 30_000,
    unstubGlobals: true,
    projects: [
      { extends: true, test: { name: "functions", include: ["src/**/*.test.ts"], isolate: false } },
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
