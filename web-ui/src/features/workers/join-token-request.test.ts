import { expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { joinTokenRequest, NEW_JOIN_TOKEN, validity } from "./join-token-request";

const ENTRY: Schemas["JoinTokenEntry"] = {
  id: "j1",
  name: "rack",
  uses: 2,
  admitted: 1,
  createdAt: "2026-01-05T08:00:00Z",
  expiresAt: "2026-01-06T08:00:00Z",
  usedAt: null,
};

it("asks for the defaults unless they are changed", () => {
  expect(joinTokenRequest(NEW_JOIN_TOKEN)).toEqual({ name: null, uses: 1, expiresAt: null });
  expect(joinTokenRequest({ name: " rack ", uses: "", expires: "" })).toEqual({
    name: "rack",
    uses: null,
    expiresAt: null,
  });
});

it("tells whether a token still admits agents", () => {
  const before = Date.parse("2026-01-05T12:00:00Z");
  expect(validity(ENTRY, before)).toBe("Valid");
  expect(validity(ENTRY, Date.parse(ENTRY.expiresAt))).toBe("Expired");
  expect(validity({ ...ENTRY, admitted: 2 }, before)).toBe("Used up");
});
