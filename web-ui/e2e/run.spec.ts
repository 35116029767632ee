import { definition, ENDLESS, expect, signIn, signOut, test } from "./dashboard";
import { at, cancel, reached, submit } from "./service";

test("a run is watched from the queue to its end, live", async ({ page, project }) => {
  const [holder = ""] = await submit(project, definition("holder", ENDLESS));
  await reached(`/runs/${holder}`, "RUNNING");
  // The first run holds two of the three workers, so the second one waits until the test cancels the first.
  const [run = ""] = await submit(project, definition("watched", 40));
  await signIn(page, project.editor, `/runs/${run}`);

  await expect(page.getByRole("heading", { name: /watched/ })).toBeVisible();
  await expect(page.getByText("Queued", { exact: true }).first()).toBeVisible();
  await cancel(holder);
  await expect(page.getByText("Completed", { exact: true }).first()).toBeVisible();
});

test("a curve is read, zoomed and hidden by keys", async ({ page, project }) => {
  const [run = ""] = await submit(project, definition("curves", 3));
  await reached(`/runs/${run}`, "COMPLETED");
  await signIn(page, project.viewer, `/runs/${run}`);
  // Excludes the chart "Test accuracy of each replica", whose curves may come first.
  const cursor = page.getByRole("slider", { name: "Position along Test accuracy", exact: true });
  const chart = page.getByRole("figure").filter({ has: cursor });

  await cursor.focus();
  await page.keyboard.press("Home");
  const first = (await cursor.getAttribute("aria-valuetext")) ?? "";
  await page.keyboard.press("ArrowRight");
  await expect(cursor).not.toHaveAttribute("aria-valuetext", first);
  await expect(cursor).toHaveAttribute("aria-valuetext", /^step \d+; mean model: 0\.\d+/);

  await chart.getByRole("button", { name: "Zoom in" }).press("Enter");
  await chart.getByRole("button", { name: "Show all" }).press("Enter");
  const line = chart.getByRole("button", { name: "mean model" });
  await line.press("Enter");
  await expect(line).toHaveAttribute("aria-pressed", "false");
});

test("a viewer sees a run and can neither cancel it on the page nor by a call, an editor can", async ({
  page,
  project,
}) => {
  const [run = ""] = await submit(project, definition("long", ENDLESS));
  await reached(`/runs/${run}`, "RUNNING");

  await signIn(page, project.viewer, `/runs/${run}`);
  await expect(page.getByRole("heading", { name: /long/ })).toBeVisible();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Actions" })).toHaveCount(0);
  const session = await page.request.get(at("/api/v1/session"));
  const { csrfToken } = (await session.json()) as { readonly csrfToken: string };
  const headers = { "X-CSRF-Token": csrfToken };
  const refused = await page.request.post(at(`/api/v1/runs/${run}/cancel`), { headers });
  expect(refused.status()).toBe(403);
  await signOut(page, project.viewer);

  await signIn(page, project.editor, `/runs/${run}`);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
});
