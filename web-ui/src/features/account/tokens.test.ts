import { describe, expect, it } from "vitest";

import type { Token } from "@/api/schemas";

import { tokenRequest, NEW_TOKEN, boundText } from "./token-request";
import { accountSearch, expiry, shownTokens } from "./tokens";

describe("tokenRequest", () => {
  it("omits bounds that were not chosen", () => {
    expect(tokenRequest({ ...NEW_TOKEN, name: " notebook " })).toEqual({
      name: "notebook",
      project: null,
      role: "administrator",
      expiresAt: null,
      standsAlone: false,
    });
  });

  it("sends the time of expiry with its time zone", () => {
    const { expiresAt } = tokenRequest({ ...NEW_TOKEN, name: "ci", expires: "2027-01-05T08:00" });

    expect(expiresAt).toBe(new Date(2027, 0, 5, 8).toISOString());
  });

  it("calls the highest role no bound", () => {
    expect(boundText("administrator")).toBe("All my permissions");
    expect(boundText("viewer")).toBe("At most viewer");
  });
});

describe("tokens", () => {
  const TOKEN: Token = {
    id: "t1",
    name: "notebook",
    user: "u1",
    project: null,
    role: "administrator",
    token: null,
    createdAt: "2026-01-05T08:00:00Z",
    expiresAt: null,
    usedAt: null,
  };

  it("are those of the caller, or all on request", () => {
    const other = { ...TOKEN, id: "t2", user: "u2" };

    expect(shownTokens([TOKEN, other], "u1", false)).toEqual([TOKEN]);
    expect(shownTokens([TOKEN, other], "u1", true)).toEqual([TOKEN, other]);
  });

  it("show when they expire, or that they have", () => {
    const at = Date.parse("2026-01-06T00:00:00Z");

    expect(expiry(null, at)).toBe("never");
    expect(expiry("2026-01-05T00:00:00Z", at)).toMatch(/^expired, /);
    expect(expiry("2026-02-05T00:00:00Z", at)).toMatch(/2026/);
  });
});

describe("accountSearch", () => {
  it("ignores unknown fields and values", () => {
    expect(accountSearch({ tokens: "all", more: 1 })).toEqual({ tokens: "all" });
    expect(accountSearch({ tokens: "some" })).toEqual({});
  });
});
