// Run by Maven: builds the dashboard into dist, unless nothing has changed since the last build.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const LEAST_NODE = [20, 19];
const INSTALLED = "node_modules/.package-lock.json";
const BUILT = "dist/index.html";
const PACKAGED = "target/classes/META-INF/resources";
const SOURCES = [
  ...["src", "openapi", "public", "scripts", "index.html", "package.json", "package-lock.json", ".npmrc"],
  ...["tsconfig.json", "vite.config.ts", "eslint.config.js"],
];

class BuildFailure extends Error {}

try {
  requireNode();
  if (newest(SOURCES) <= changed(BUILT)) {
    console.log("The dashboard is up to date.");
  } else {
    if (changed("package-lock.json") > changed(INSTALLED)) {
      npm("ci", "--no-audit", "--no-fund");
    }
    npm("run", "build");
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
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    throw new BuildFailure(
      `The build of the dashboard needs Node.js ${LEAST_NODE.join(".")} or newer, but the PATH has ${process.versions.node}.`,
    );
  }
}

function npm(...args) {
  const { error, status, signal } = spawnSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" });
  if (error) {
    throw new BuildFailure(`The build of the dashboard could not start npm: ${error.message}.`);
  }
  if (status !== 0) {
    throw new BuildFailure(`npm ${args.join(" ")} ended with ${signal ?? `status ${status}`}; see its output above.`);
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
