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
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    env: { TZ: "UTC" },
    setupFiles: ["src/app/test-setup.ts"],
    testTimeout: 30_000,
    unstubGlobals: true,
  },
});
