import { asAdministrator, expect, test } from "./dashboard";
import { at } from "./service";

// This file is the last by name: the drained worker does not come back, and other tests need two workers.

/** The worker that leaves, by attempt. */
const WORKERS = ["slow-2", "slow-1", "fast"];

test("a worker is cordoned, takes work again, leaves once it is drained, and is removed", async ({ page }, {
  retry,
}) => {
  await asAdministrator(page);
  await page.goto(at("/workers"));
  await page.getByRole("link", { name: WORKERS[retry] ?? "" }).click();
  await page.getByRole("button", { name: "Cordon", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cordon" }).click();
  await expect(page.getByText("Cordoned", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Uncordon" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Uncordon" }).click();
  // The history below tells that the worker was cordoned.
  await expect(page.getByText("Cordoned", { exact: true })).toHaveCount(0);

  await page.getByRole("button", { name: "Drain", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click();
  await expect(page.getByText("Left", { exact: true }).first()).toBeVisible();

  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page).toHaveURL(/\/workers$/);
});
