import { describe, expect, it } from "vitest";

import { auditSearch } from "./audit-search";

describe("auditSearch", () => {
  it("begins at the cursor in the address", () => {
    expect(auditSearch({ older: "17" })).toEqual({ older: "17" });
    expect(auditSearch({ older: 17 })).toEqual({});
  });
});
