import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from "@playwright/test";

import { asAdministrator } from "./dashboard";
import type { Exhibit } from "./exhibit";
import { at, call, type Identified } from "./service";

/** A page for pictures and axe. */
export interface Stop {
  readonly name: string;
  readonly path: string;
  /** Returns an element that exists once the page has its data. */
  readonly shows: (page: Page) => Locator;
  /** Opens a closed part of the page. */
  readonly open?: (page: Page) => Promise<void>;
  readonly isSignedOut?: boolean;
}

/** Visits all pages that an administrator sees, and calls `look` when each has its data. */
export async function visit(
  browser: Browser,
  options: BrowserContextOptions,
  exhibit: Exhibit,
  look: (page: Page, stop: Stop) => Promise<void>,
): Promise<void> {
  // A menu that is still fading in has a temporary contrast.
  const still = { ...options, reducedMotion: "reduce" } as const;
  const [inside, outside] = [await browser.newContext(still), await browser.newContext(still)];
  const [within, without] = [await inside.newPage(), await outside.newPage()];
  await asAdministrator(within);
  for (const stop of await stops(exhibit)) {
    const page = stop.isSignedOut ? without : within;
    await page.goto(at(stop.path));
    await expect(stop.shows(page).first()).toBeVisible();
    await expect(page.locator(".mantine-Loader-root, .mantine-Skeleton-root")).toHaveCount(0);
    await stop.open?.(page);
    await animationsFinished(page);
    await look(page, stop);
  }
  await inside.close();
  await outside.close();
}

/** Waits until no animation or transition runs, except those that never end. */
export async function animationsFinished(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    const isFinite = (animation: Animation): boolean => animation.effect?.getComputedTiming().endTime !== Infinity;
    for (;;) {
      // Changes of style, with their transitions, begin one of the next frames after a click.
      await nextFrame();
      await nextFrame();
      const running = document.getAnimations().filter((it) => it.playState === "running" && isFinite(it));
      if (running.length === 0) {
        return;
      }
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  });
}

/** Lists every page of the dashboard, with data of the sample lab. */
async function stops({ project, completed, scaled, running }: Exhibit): Promise<readonly Stop[]> {
  const { items: workers } = await call<{ items: readonly Identified[] }>("GET /workers?state=IDLE,BUSY");
  const run = completed[0] ?? "";
  const worker = workers[0]?.id ?? "";
  const { experiment } = await call<{ experiment: string }>(`GET /runs/${run}`);
  const runs = `/runs?project=${project.id}`;
  const compared = comparison(completed);
  return [
    { name: "sign-in", path: "/runs", shows: button("Sign in"), isSignedOut: true },
    { name: "runs", path: runs, shows: link(/^methods/) },
    { name: "runs-columns", path: runs, shows: link(/^methods/), open: click("Columns") },
    { name: "runs-cancel", path: `${runs}&state=["RUNNING"]`, shows: link(/^longer/), open: openCancel },
    { name: "run-curves", path: `/runs/${run}`, shows: chart("Training loss") },
    { name: "run-time", path: `/runs/${run}?tab=time`, shows: chart("Seconds of an epoch, by rank") },
    { name: "run-exchange", path: `/runs/${run}?tab=exchange`, shows: chart("Bytes sent in an epoch") },
    { name: "run-topology", path: `/runs/${run}?tab=topology`, shows: chart("Exchange partners") },
    { name: "run-definition", path: `/runs/${run}?tab=definition`, shows: text("softmax-cross-entropy") },
    { name: "run-log", path: `/runs/${run}?tab=log`, shows: text("is COMPLETED") },
    { name: "run-files", path: `/runs/${run}?tab=files`, shows: text("There are no checkpoints") },
    { name: "run-live", path: `/runs/${running}`, shows: chart("Training loss") },
    { name: "compare-curves", path: compared, shows: chart("Test accuracy") },
    { name: "compare-export", path: compared, shows: chart("Test accuracy"), open: click("Save “Test accuracy”") },
    { name: "compare-trade-offs", path: `${compared}&tab=trade-offs`, shows: chart(/against/) },
    { name: "compare-scaling", path: `${comparison(scaled)}&tab=scaling`, shows: chart("Speedup") },
    { name: "compare-unscaled", path: `${compared}&tab=scaling`, shows: text(/^All runs have 3 replicas/) },
    { name: "compare-parallel", path: `${compared}&tab=parallel`, shows: chart("Settings and outcomes") },
    { name: "compare-differences", path: `${compared}&tab=differences`, shows: text("synchronization.kind") },
    { name: "compare-empty", path: "/compare", shows: text("No runs are chosen") },
    { name: "workers", path: "/workers", shows: link(/^fast/) },
    { name: "workers-speed", path: "/workers?tab=speed", shows: link(/^fast/) },
    { name: "workers-tokens", path: "/workers?tab=tokens", shows: text("Join tokens") },
    { name: "workers-add", path: "/workers", shows: link(/^fast/), open: click("Add a machine") },
    { name: "worker", path: `/workers/${worker}`, shows: chart(/ of /) },
    { name: "worker-profile", path: `/workers/${worker}`, shows: chart(/ of /), open: click(/profile/i) },
    { name: "links", path: "/workers/links", shows: chart(/^Latency/) },
    { name: "plan", path: "/plan", shows: text("Configurations") },
    { name: "plan-experiment", path: `/plan?experiment=${experiment}`, shows: text("apiVersion") },
    { name: "account", path: "/account", shows: button(/token/) },
    { name: "account-token", path: "/account", shows: button(/token/), open: click(/token/) },
    { name: "projects", path: "/lab/projects", shows: link("Digit study") },
    { name: "project", path: `/lab/projects/${project.id}`, shows: text(/^maria-/) },
    { name: "users", path: "/lab/users", shows: text(/^maria-/) },
    { name: "audit", path: "/lab/audit", shows: text("Digit study") },
    { name: "docs", path: "/docs/dashboard", shows: text("Everything works by keyboard") },
  ];
}

function comparison(runs: readonly string[]): string {
  return `/compare?runs=${encodeURIComponent(JSON.stringify(runs))}`;
}

type Name = string | RegExp;

function text(name: Name): Stop["shows"] {
  return (page) => page.locator("main").getByText(name);
}

function link(name: Name): Stop["shows"] {
  return (page) => page.locator("main").getByRole("link", { name });
}

function button(name: Name): Stop["shows"] {
  return (page) => page.getByRole("button", { name });
}

/** A chart that is drawn; only then can it be saved. */
function chart(title: Name): Stop["shows"] {
  return (page) => page.locator("figure", { hasText: title }).getByRole("button", { name: /^Save “/ });
}

function click(name: Name): (page: Page) => Promise<void> {
  return (page) => page.getByRole("button", { name }).first().click();
}

async function openCancel(page: Page): Promise<void> {
  await page
    .getByRole("row", { name: /longer/ })
    .getByRole("checkbox")
    .click();
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}
