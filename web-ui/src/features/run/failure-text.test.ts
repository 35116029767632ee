import { expect, it } from "vitest";

import { failureText } from "./failure-text";

it.each([
  ["dataset-differs", "ranks have read different data"],
  ["out-of-memory", "out of memory"],
  ["diverged", "diverged"],
])("says %s in words", (code, words) => {
  expect(failureText(code)).toBe(words);
});
