import { test as base, expect, type Locator, type Page } from "@playwright/test";

import { at, call, cancelRuns, person, theLab, type Identified, type Person } from "./service";

/** The project of one test file, with a user who may change it and a user who may only look. */
export interface Project extends Identified {
  readonly name: string;
  readonly editor: Person;
  readonly viewer: Person;
}

interface WorkerFixtures {
  readonly project: Project;
}

export const test = base.extend<object, WorkerFixtures>({
  project: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of required fixtures from the parameter
    async ({}, provide) => {
      const suffix = Date.now().toString(36);
      const name = `study-${suffix}`;
      const { id } = await call<Identified>("POST /projects", { json: { name } });
      const editor = await person(`ada-${suffix}`, { id }, "editor");
      const viewer = await person(`vic-${suffix}`, { id }, "viewer");
      await provide({ id, name, editor, viewer });
      // A failed test must leave the workers to the tests after it.
      await cancelRuns({ id });
    },
    { scope: "worker" },
  ],
});

/** Signs in as a person does. */
export async function signIn(page: Page, { name, password }: Person, path = "/runs"): Promise<void> {
  await page.goto(at(path));
  await page.getByLabel("Name").fill(name);
  await passwordBox(page).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
}

/** Asks the dashboard to sign out, and does not wait for the answer. */
export async function askToSignOut(page: Page, { name }: Person): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

/** Signs out, and waits until the service has ended the session. */
export async function signOut(page: Page, person: Person): Promise<void> {
  await askToSignOut(page, person);
  await expect(passwordBox(page)).toBeVisible();
}

/** The password input, which only the sign-in page has. */
export function passwordBox(page: Page): Locator {
  return page.getByRole("textbox", { name: "Password" });
}

/** Signs in with the administrator's token before the first page. */
export async function asAdministrator(page: Page): Promise<void> {
  const response = await page.request.post(at("/api/v1/session"), { data: { token: theLab().token } });
  expect(response.status()).toBe(200);
}

/** The most epochs of a definition: such a run ends only when it is canceled. */
export const ENDLESS = 100_000;

/** A definition whose runs end soon, unless they are {@link ENDLESS}. */
export function definition(name: string, epochs = 1, more = ""): string {
  return `
apiVersion: equipoise/v1
name: ${name}
dataset: {name: synthetic, shape: [8, 8, 1], classes: 10, samples: 2000, seed: 1}
network: {layers: [flatten, {dense: 32}, relu, {dense: 10}]}
training: {epochs: ${epochs.toString()}, batchSize: 32, optimizer: {kind: sgd, learningRate: 0.1}}
workers: {replicas: 2}
${more}`;
}

export { expect };
