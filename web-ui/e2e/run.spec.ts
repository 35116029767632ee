import { definition, expect, signIn, test } from "./dashboard";
import { reached, submit } from "./service";

test("a run is watched to its end, live", async ({ page, project }) => {
  const [run = ""] = await submit(project, definition("watched", 40));
  await signIn(page, project.editor, `/runs/${run}`);

  await expect(page.getByRole("heading", { name: /watched/ })).toBeVisible();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Completed", { exact: true }).first()).toBeVisible({ timeout: 120_000 });
});

test("a viewer sees a run and cannot cancel it, an editor can", async ({ page, project }) => {
  const [run = ""] = await submit(project, definition("long", 2000));
  await reached(`/runs/${run}`, "RUNNING");

  await signIn(page, project.viewer, `/runs/${run}`);
  await expect(page.getByRole("heading", { name: /long/ })).toBeVisible();
  await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Actions" })).toHaveCount(0);
  await page.getByRole("button", { name: project.viewer.name }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();

  await signIn(page, project.editor, `/runs/${run}`);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
});
