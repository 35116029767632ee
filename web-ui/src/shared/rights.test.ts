import { describe, expect, it } from "vitest";

import type { Caller } from "@/api/schemas";

import { rightsOf } from "./rights";

const NOBODY: Caller = { name: "Ada", account: null, administrator: false, everywhere: null, projects: {} };

describe("rightsOf", () => {
  it("includes lower roles in a higher one", () => {
    const rights = rightsOf({ ...NOBODY, projects: { p: "owner" } });

    expect(rights.has("viewer", "p")).toBe(true);
    expect(rights.has("owner", "p")).toBe(true);
    expect(rights.has("administrator", "p")).toBe(false);
  });

  it("allows nothing in a project without a role", () => {
    expect(rightsOf({ ...NOBODY, projects: { p: "editor" } }).has("viewer", "other")).toBe(false);
  });

  it("applies a role everywhere to each project", () => {
    expect(rightsOf({ ...NOBODY, everywhere: "editor" }).has("editor", "any")).toBe(true);
  });

  it("allows nothing while the caller is unknown", () => {
    const rights = rightsOf(undefined);

    expect(rights.isAdministrator).toBe(false);
    expect(rights.has("viewer", "p")).toBe(false);
  });
});
