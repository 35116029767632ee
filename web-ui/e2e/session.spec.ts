import type { Page } from "@playwright/test";

import { askToSignOut, expect, passwordBox, signIn, signOut, test } from "./dashboard";
import { at, call, theLab } from "./service";

test("a session outlives a reload, and ends for good", async ({ page, project }) => {
  await signIn(page, project.editor);
  await expect(page.getByRole("heading", { name: "Runs" })).toBeVisible();

  await page.reload();
  await signOut(page, project.editor);
  await page.goto(at("/workers"));

  await expect(passwordBox(page)).toBeVisible();
});

test("the dashboard shows the sign-in page only after the service has ended the session", async ({ page, project }) => {
  await signIn(page, project.editor);
  const signOutRequest = await holdSignOut(page);
  await askToSignOut(page, project.editor);

  await signOutRequest.held;
  await expect(page.getByText("Signing out")).toBeVisible();
  await expect(passwordBox(page)).toHaveCount(0);

  signOutRequest.release();
  await expect(passwordBox(page)).toBeVisible();
  expect(await sessionStatus(page)).toBe(401);
});

test("a session ends although the person leaves the page before the service answers", async ({ page, project }) => {
  await signIn(page, project.editor);
  const signOutRequest = await holdSignOut(page);
  await askToSignOut(page, project.editor);

  await signOutRequest.held;
  await page.goto("about:blank");
  expect(await sessionStatus(page)).toBe(200);

  signOutRequest.release();
  await expect.poll(() => sessionStatus(page)).toBe(401);
});

test("a wrong password is rejected with a message", async ({ page, project }) => {
  await page.goto(at("/"));
  await page.getByLabel("Name").fill(project.editor.name);
  await passwordBox(page).fill("not this one");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByText("No user has this name and password")).toBeVisible();
});

test("a second tab is signed in by the token of the first", async ({ context, page, project }) => {
  await page.goto(at("/"));
  const tokenBox = page.getByRole("textbox", { name: "API token" });
  await page.getByRole("button", { name: "Sign in with an API token" }).click();
  await tokenBox.fill(`eqp_${"wrong".repeat(8)}`);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("The API token is invalid or has expired")).toBeVisible();

  await tokenBox.fill(theLab().token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();

  const second = await context.newPage();
  await second.goto(at(`/runs?project=${project.id}`));
  await expect(second.getByRole("navigation", { name: "Pages" })).toBeVisible();
});

test("a link signs one browser in and leaves no code behind", async ({ browser, page }) => {
  const { path } = await call<{ path: string }>("POST /sign-in-links");
  await page.goto(at(path));
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  expect(page.url()).not.toContain("eqc_");

  const other = await (await browser.newContext()).newPage();
  await other.goto(at(path));
  await expect(other.getByText("The sign-in link was used or has expired")).toBeVisible();
  await other.context().close();
});

interface HeldRequest {
  /** Settles when the page has sent the request. */
  readonly held: Promise<void>;
  readonly release: () => void;
}

/** Holds back the request that ends the session until it is released. */
async function holdSignOut(page: Page): Promise<HeldRequest> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let send = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route("**/api/v1/session", async (route) => {
    if (route.request().method() === "DELETE") {
      send();
      await released;
    }
    await route.continue();
  });
  return {
    held,
    release: () => {
      release();
    },
  };
}

/** Returns the status of the service for the browser's session: 200 while it lasts, 401 afterwards. */
async function sessionStatus(page: Page): Promise<number> {
  return (await page.request.get(at("/api/v1/session"))).status();
}
