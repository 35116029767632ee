import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from "@playwright/test/reporter";
import { appendFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { LAB_OUTPUT } from "./open-lab";

const TARGET = join(import.meta.dirname, "../../target");
const FLAKY = join(TARGET, "flaky.txt");
const SUMMARY = join(TARGET, "failures/summary.txt");
const EVIDENCE = join(TARGET, "failures/browser");
const KEPT = ["screenshot", "trace"];

/** Reports to `./equipoise test` which tests were flaky and which failed, and keeps evidence. */
export default class FlakyReporter implements Reporter {
  #suite: Suite | undefined;
  readonly #errors: TestError[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  /** Records an error outside of any test, such as a lab that does not start. */
  onError(error: TestError): void {
    this.#errors.push(error);
  }

  onEnd(result: FullResult): void {
    const tests = this.#suite?.allTests() ?? [];
    const failed = tests.filter((test) => test.outcome() === "unexpected");
    const flaky = tests.filter((test) => test.outcome() === "flaky");
    flaky.forEach((test) => {
      append(FLAKY, `FLAKY browser: ${named(test)} (passed on attempt ${test.results.length.toString()})`);
    });
    failed.forEach((test) => {
      append(SUMMARY, `FAILED browser: ${named(test)}: ${firstLine(test.results.at(-1)?.error)}`);
    });
    this.#errors.forEach((error) => {
      append(SUMMARY, `FAILED browser: outside of any test: ${firstLine(error)}`);
    });
    [...failed, ...flaky].forEach((test) => {
      test.results.forEach((attempt) => {
        keep(test, attempt);
      });
    });
    if (result.status !== "passed" && existsSync(LAB_OUTPUT)) {
      cpSync(LAB_OUTPUT, join(EVIDENCE, "lab"), { recursive: true });
    }
  }

  printsToStdio(): boolean {
    return false;
  }
}

function named({ location, title }: TestCase): string {
  return `${relative(import.meta.dirname, location.file)}:${location.line.toString()} ${title}`;
}

function firstLine(error: TestError | undefined): string {
  const message = stripVTControlCharacters(error?.message ?? error?.value ?? "no error was reported");
  return message.trim().split("\n")[0] ?? "";
}

function append(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${line}\n`);
}

/** Copies the screenshot and the trace of an attempt. */
function keep({ location }: TestCase, { attachments, retry }: TestResult): void {
  mkdirSync(EVIDENCE, { recursive: true });
  const prefix = `${basename(location.file, ".ts")}-${location.line.toString()}-attempt-${(retry + 1).toString()}`;
  attachments.forEach(({ name, path }) => {
    if (KEPT.includes(name) && path !== undefined && existsSync(path)) {
      cpSync(path, join(EVIDENCE, `${prefix}-${name}${extname(path)}`));
    }
  });
}
