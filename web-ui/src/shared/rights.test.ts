import { describe, expect, it } from "vitest";

import type { Caller } from "@/api/schemas";

import { rightsOf } from "./rights";

const NOBODY: Caller = { name: "Ada", account: null, administrator: false, everywhere: null, projects: {} };

describe("rightsOf", () => {
  it("counts a higher role as every lower one", () => {
    const rights = rightsOf({ ...NOBODY, projects: { p: "owner" } });

    expect(rights.has("viewer", "p")).toBe(true);
    expect(rights.has("owner", "p")).toBe(true);
    expect(rights.has("administrator", "p")).toBe(false);
  });

  it("allows nothing in a project that the caller is not of", () => {
    expect(rightsOf({ ...NOBODY, projects: { p: "editor" } }).has("viewer", "other")).toBe(false);
  });

  it("counts a role everywhere in each project", () => {
    expect(rightsOf({ ...NOBODY, everywhere: "editor" }).has("editor", "any")).toBe(true);
  });

  it("allows nothing while nobody knows who asks", () => {
    const rights = rightsOf(undefined);

    expect(rights.isAdministrator).toBe(false);
    expect(rights.has("viewer", "p")).toBe(false);
  });
});
