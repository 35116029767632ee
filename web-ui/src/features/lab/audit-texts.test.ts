import { describe, expect, it } from "vitest";

import { detailText, words } from "./audit-texts";

describe("texts of the audit", () => {
  it("show codes as words", () => {
    expect(words("join-token-created")).toBe("join token created");
    expect(detailText({ role: "editor", runs: 3, project: null })).toBe("role: editor, runs: 3");
    expect(detailText({})).toBe("–");
  });
});
