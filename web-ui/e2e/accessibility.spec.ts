import type { AxeResults, RunOptions } from "axe-core";
import { createRequire } from "node:module";

import { expect, test } from "./dashboard";
import { closeExhibit, exhibit, type Exhibit } from "./exhibit";
import { visit } from "./pages";

declare const axe: { run(context: Document | Element, options: RunOptions): Promise<AxeResults> };

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const SERIOUS = ["serious", "critical"];

let shown: Promise<Exhibit> | undefined;

test.afterAll(async () => {
  if (shown) {
    await closeExhibit(await shown);
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no serious fault on any page, ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(600_000);
    shown ??= exhibit("{name: synthetic, shape: [28, 28, 1], classes: 10, samples: 600, seed: 1}", 5_000);
    await visit(browser, { colorScheme, bypassCSP: true }, await shown, async (page, { name, path }) => {
      await page.addScriptTag({ path: AXE });
      const { violations } = await page.evaluate(() => {
        // What lies behind a dialog is dimmed on purpose, and is looked at without it.
        const shown = document.querySelector('[role="dialog"]') ?? document;
        return axe.run(shown, { resultTypes: ["violations"] });
      });
      const faults = violations
        .filter(({ impact }) => SERIOUS.includes(impact ?? ""))
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
      expect.soft(faults, `${name} (${path})`).toEqual([]);
    });
  });
}
