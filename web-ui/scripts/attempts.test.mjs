import { expect, test } from "vitest";

import { attempts, reasonOf } from "./attempts.mjs";

/** Returns a command whose attempts end with these statuses, each with an output that names its attempt. */
function ending(...statuses) {
  return (attempt) => Promise.resolve({ status: statuses[attempt - 1], output: `Error: attempt ${attempt}` });
}

test("a command that succeeds runs once", async () => {
  expect(await attempts(2, ending(0))).toEqual({ status: 0, reasons: [] });
});

test("a command that fails once is repeated, and its failure has a reason", async () => {
  expect(await attempts(2, ending(1, 0))).toEqual({ status: 0, reasons: ["Error: attempt 1"] });
});

test("a command fails after the last attempt", async () => {
  expect(await attempts(2, ending(1, 7))).toEqual({ status: 7, reasons: ["Error: attempt 1", "Error: attempt 2"] });
  expect(await attempts(1, ending(3))).toEqual({ status: 3, reasons: ["Error: attempt 1"] });
});

test("the reason is what tells of the error, without colors and without passed tests", () => {
  const output = [
    " \u001b[32m✓\u001b[39m retries with the same idempotency key after a failure  920ms",
    "\u001b[31mError: [vitest-pool]: Failed to start forks worker for test files trace.test.ts.\u001b[39m",
    "Caused by: Error: [vitest-pool-runner]: Timeout waiting for worker to respond",
    "npm error path /somewhere/web-ui",
  ].join("\n");

  expect(reasonOf(output)).toBe(
    "Error: [vitest-pool]: Failed to start forks worker for test files trace.test.ts. | " +
      "Caused by: Error: [vitest-pool-runner]: Timeout waiting for worker to respond",
  );
});

test("a command that says nothing of an error shows its last lines, cut to a limit", () => {
  expect(reasonOf("one\ntwo\n\nthree\nfour\n")).toBe("two | three | four");
  expect(reasonOf("x".repeat(1000))).toBe(`${"x".repeat(300)} ...`);
  expect(reasonOf("")).toBe("");
});
