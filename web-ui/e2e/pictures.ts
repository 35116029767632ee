import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { asAdministrator, expect, test } from "./dashboard";
import { closeExhibit, exhibit } from "./exhibit";
import { stops, type Stop } from "./pages";

const FOLDER = process.env.EQUIPOISE_PICTURES ?? join(import.meta.dirname, "../target/pictures");
/** A chart draws a moment after its figures have come; no page ever rests, as it asks again and again. */
const DRAWN_MS = 700;
const WIDTHS = [1440, 800];
const SCHEMES = ["light", "dark"] as const;

test("every page, light and dark, wide and narrow", async ({ browser }) => {
  test.setTimeout(1_800_000);
  mkdirSync(FOLDER, { recursive: true });
  const shown = await exhibit("{name: mnist, limit: 3000}");
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await asAdministrator(page);
      for (const stop of await stops(shown)) {
        await page.goto(stop.path);
        await expect(page.locator("main").getByText(stop.shows).first()).toBeVisible();
        await expect(page.locator(".mantine-Loader-root, .mantine-Skeleton-root")).toHaveCount(0);
        await page.waitForTimeout(DRAWN_MS);
        await page.screenshot({ path: join(FOLDER, fileOf(stop, width, colorScheme)), animations: "disabled" });
      }
      await context.close();
    }
  }
  await closeExhibit(shown);
});

function fileOf({ name }: Stop, width: number, scheme: string): string {
  return `${name}-${width.toString()}-${scheme}.png`;
}
