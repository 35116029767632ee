// Run by Maven: builds the dashboard into dist, unless nothing has changed since the last build.

import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { attempts } from "./attempts.mjs";
import { checkNode } from "./node-version.mjs";

const INSTALLED = "node_modules/.package-lock.json";
const BUILT = "dist/index.html";
const PACKAGED = "target/classes/META-INF/resources";
const SOURCES = [
  ...["src", "openapi", "public", "scripts", "index.html", "package.json", "package-lock.json", ".npmrc"],
  ...["tsconfig.json", "vite.config.ts", "eslint.config.js", "../docs"],
];
// Set by ./equipoise test, which reads these files at its end.
const GATE_OUTPUT = process.env.EQUIPOISE_GATE_OUTPUT;
const ATTEMPTS = GATE_OUTPUT === undefined ? 1 : 2;

class BuildFailure extends Error {}

try {
  requireNode();
  if (newest(SOURCES) <= changed(BUILT)) {
    console.log("The dashboard is up to date.");
  } else {
    if (changed("package-lock.json") > changed(INSTALLED)) {
      await npm("ci", "--no-audit", "--no-fund");
    }
    await npm("run", "build");
    // The names of the bundles change with their content; without this, Maven would keep old bundles in the jar.
    rmSync(PACKAGED, { recursive: true, force: true });
  }
} catch (error) {
  if (!(error instanceof BuildFailure)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
}

function requireNode() {
  const { failure, advice } = checkNode(process.versions.node);
  if (failure !== undefined) {
    throw new BuildFailure(failure);
  }
  if (advice !== undefined) {
    console.warn(advice);
  }
}

/** Runs npm; in the gate once more if it fails. The gate lists what failed and what was repeated. */
async function npm(...args) {
  const command = `npm ${args.join(" ")}`;
  const { status, reasons } = await attempts(ATTEMPTS, (attempt) => runNpm(args, attempt));
  if (status !== 0) {
    report("failures/summary.txt", `FAILED dashboard: ${command}: ${reasons.at(-1)}`);
    throw new BuildFailure(`${command} ended with status ${status}; see its output above.`);
  }
  reasons.forEach((reason) => {
    report("flaky.txt", `FLAKY dashboard: ${command}: ${reason}`);
  });
}

/** Runs npm and shows its output at once; the gate keeps the output of a failure. */
async function runNpm(args, attempt) {
  const child = spawn("npm", args, { stdio: ["inherit", "pipe", "pipe"], shell: process.platform === "win32" });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      process.stdout.write(chunk);
      chunks.push(chunk);
    });
  }
  try {
    const [code, signal] = await once(child, "close");
    const output = Buffer.concat(chunks).toString("utf8");
    if (code !== 0 && GATE_OUTPUT !== undefined) {
      mkdirSync(join(GATE_OUTPUT, "failures"), { recursive: true });
      writeFileSync(join(GATE_OUTPUT, `failures/dashboard-npm-${args[0]}-attempt-${attempt}.log`), output);
    }
    return { status: code ?? signal, output };
  } catch (error) {
    throw new BuildFailure(`The build of the dashboard could not start npm: ${error.message}.`, { cause: error });
  }
}

function report(file, line) {
  if (GATE_OUTPUT !== undefined) {
    mkdirSync(join(GATE_OUTPUT, "failures"), { recursive: true });
    appendFileSync(join(GATE_OUTPUT, file), `${line}\n`);
  }
}

/** Time of the last change of a file, in milliseconds; long ago if it does not exist. */
function changed(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
}

/** Time of the last change below any of the paths. Folders count, because their time shows deleted files. */
function newest(paths) {
  return Math.max(
    ...paths.map((path) => {
      const isFolder = statSync(path).isDirectory();
      return Math.max(changed(path), isFolder ? newest(readdirSync(path).map((name) => join(path, name))) : -Infinity);
    }),
  );
}
