import { expect, signIn, test } from "./dashboard";
import { at, call } from "./service";

test("a token is shown once, works, and is rejected once it is revoked", async ({ page, project }) => {
  await signIn(page, project.editor, "/account");
  await page.getByRole("button", { name: "Make a token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("notebook");
  await dialog.getByRole("button", { name: "Make" }).click();
  const token = (await dialog.getByText(/^eqp_/).textContent()) ?? "";
  expect(await call<{ name: string }>("GET /me", { token })).toMatchObject({ name: project.editor.name });
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(page.getByText(token)).toHaveCount(0);

  await page.getByRole("button", { name: "Revoke the token notebook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("button", { name: "Revoke the token notebook" })).toHaveCount(0);
  const refused = await fetch(at("/api/v1/me"), { headers: { Authorization: `Bearer ${token}` } });
  expect(refused.status).toBe(401);
});
