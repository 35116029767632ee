import { definition, expect, signIn, test } from "./dashboard";

test("two runs are submitted from the editor, and compared when they have ended", async ({ page, project }) => {
  await signIn(page, project.editor, `/plan?project=${project.id}`);
  const editor = page.getByRole("textbox", { name: /Definition/ });
  await editor.fill(definition("from-the-editor", 1).trim().replace("batchSize: 32", "batchSize: 0"));
  await expect(page.getByText(/must be .*but|must be from|must be at least/).first()).toBeVisible();

  await editor.fill(`${definition("from-the-editor", 2).trim()}\nseeds: [1, 2]`);
  await page.getByRole("button", { name: "Queue 2 runs" }).click();

  await expect(page.getByRole("cell", { name: "Completed" })).toHaveCount(2);
  await page.getByRole("checkbox", { name: /seed 1/ }).check();
  await page.getByRole("checkbox", { name: /seed 2/ }).check();
  await page.getByRole("link", { name: "Compare", exact: true }).last().click();
  await expect(page.getByRole("heading", { name: "Compare" })).toBeVisible();
  await expect(page.getByRole("button", { name: /seed 2/ }).first()).toBeVisible();
  await page.getByRole("tab", { name: "Differences" }).click();
  await expect(page.getByRole("rowheader", { name: /seed/ })).toBeVisible();
});

test("the example of the empty editor is a valid definition", async ({ page, project }) => {
  await signIn(page, project.editor, `/plan?project=${project.id}`);
  await page.getByRole("button", { name: "Start from this" }).click();

  await expect(page.getByRole("textbox", { name: /Definition/ })).toBeFocused();
  await expect(page.getByText("The definition is valid and expands to 2 runs.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Queue 2 runs" })).toBeEnabled();
});

test("a plan ranks configurations, and the chosen one becomes the definition", async ({ page, project }) => {
  await signIn(page, project.editor, `/plan?project=${project.id}`);
  await page
    .getByRole("textbox", { name: /Definition/ })
    .fill(definition("planned", 1, "execution: {kind: virtual, samplesPerSecond: 500}").trim());
  await page.getByRole("button", { name: "Predict and rank" }).click();

  const choose = page.getByRole("button", { name: /^Choose ad-psgd/ }).first();
  await expect(choose).toBeVisible();
  await choose.click();

  await expect(page.getByRole("textbox", { name: /Definition/ })).toContainText("ad-psgd");
});
