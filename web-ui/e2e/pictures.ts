import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { test } from "./dashboard";
import { closeExhibit, exhibit } from "./exhibit";
import { visit } from "./pages";

const FOLDER = process.env.EQUIPOISE_PICTURES ?? join(import.meta.dirname, "../target/pictures");
/** A chart is drawn shortly after its data has come; no page is ever idle, because it polls. */
const DRAWN_MS = 700;
const WIDTHS = [1440, 400];
const SCHEMES = ["light", "dark"] as const;

test("every page, light and dark, wide and narrow", async ({ browser }) => {
  test.setTimeout(1_800_000);
  mkdirSync(FOLDER, { recursive: true });
  const shown = await exhibit("{name: mnist, limit: 3000}");
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      await visit(browser, { viewport: { width, height: 900 }, colorScheme }, shown, async (page, { name }) => {
        await page.waitForTimeout(DRAWN_MS);
        const file = `${name}-${width.toString()}-${colorScheme}.png`;
        await page.screenshot({ path: join(FOLDER, file), animations: "disabled" });
      });
    }
  }
  await closeExhibit();
});
