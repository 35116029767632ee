import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { createRequire } from "node:module";

import { PATIENCE_MS } from "../src/shared/testing-patience";
import { ENDLESS, expect, test } from "./dashboard";
import { closeExhibit, exhibit } from "./exhibit";
import { animationsFinished, visit } from "./pages";

declare const axe: { run(context: Document | Element, options: RunOptions): Promise<AxeResults> };

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const SERIOUS = ["serious", "critical"];
const COLOR_SCHEMES = ["light", "dark"] as const;

test.afterAll(closeExhibit);

test("axe finds no serious fault on any page, light or dark", async ({ browser }) => {
  test.setTimeout(15 * PATIENCE_MS);
  const shown = await exhibit("{name: synthetic, shape: [28, 28, 1], classes: 10, samples: 600, seed: 1}", ENDLESS);
  await visit(browser, { bypassCSP: true }, shown, async (page, { name, path }) => {
    await page.addScriptTag({ path: AXE });
    const backgrounds = new Set<string>();
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      await animationsFinished(page);
      expect.soft(await faults(page), `${name} (${path}), ${colorScheme}`).toEqual([]);
      backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    expect(backgrounds.size, `${name}: the page has another background in each color scheme`).toBe(2);
  });
});

/** Returns the serious faults that axe finds on the page as shown. */
async function faults(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate(() => {
    // The page behind a dialog is dimmed on purpose, so only the dialog is checked.
    const shown = document.querySelector('[role="dialog"]') ?? document;
    return axe.run(shown, { resultTypes: ["violations"] });
  });
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact ?? ""))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}
