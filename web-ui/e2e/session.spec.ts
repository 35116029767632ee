import { expect, signIn, test } from "./dashboard";

test("a session outlives a reload, and ends for good", async ({ page, project }) => {
  await signIn(page, project.editor);
  await expect(page.getByRole("heading", { name: "Runs" })).toBeVisible();

  await page.reload();
  await page.getByRole("button", { name: project.editor.name }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.goto("/workers");

  await expect(page.getByRole("textbox", { name: "Password" })).toBeVisible();
});

test("a wrong password is refused in a sentence", async ({ page, project }) => {
  await page.goto("/");
  await page.getByLabel("Name").fill(project.editor.name);
  await page.getByRole("textbox", { name: "Password" }).fill("not this one");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByText("There is no such user with this password")).toBeVisible();
});
