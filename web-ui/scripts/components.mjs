// Writes the software bill of materials (SBOM) of the dashboard in CycloneDX's format, from the lock file. Debian 13's
// npm has no command for it, and newer versions omit packages that development tools also need, such as React.

import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import process from "node:process";

const FOLDER = "node_modules/";
const own = JSON.parse(readFileSync("package.json", "utf8"));
const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const paths = Object.keys(locked).filter((path) => !locked[path].dev);

const components = new Map();
const dependencies = new Map();
for (const path of paths) {
  components.set(reference(path), path === "" ? dashboard() : library(path));
  dependencies.set(reference(path), [...new Set(needs(path).map(reference))]);
}

const [dashboardItself, ...libraries] = components.values();
const bill = {
  $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { component: dashboardItself },
  components: libraries,
  dependencies: [...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn })),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

function name(path) {
  return path === "" ? own.name : path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}

function reference(path) {
  return `${name(path)}@${locked[path].version}`;
}

function dashboard() {
  return {
    "bom-ref": reference(""),
    type: "application",
    name: own.name,
    version: own.version,
    description: own.description,
    purl: `pkg:npm/${reference("")}`,
  };
}

function library(path) {
  const { version, license, integrity } = locked[path];
  const [algorithm, digest] = integrity.split("-");
  return {
    "bom-ref": reference(path),
    type: "library",
    name: name(path),
    version,
    purl: `pkg:npm/${reference(path).replace(/^@/, "%40")}`,
    hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") }],
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
  };
}

/** Returns the paths of the installed dependencies of a package. */
function needs(path) {
  const { dependencies = {}, peerDependencies = {} } = locked[path];
  return Object.keys({ ...dependencies, ...peerDependencies })
    .map((needed) => found(path, needed))
    .filter((it) => paths.includes(it));
}

/** Resolves a package like Node: in its own folder, then in the enclosing ones. */
function found(path, needed) {
  const here = `${path === "" ? "" : `${path}/`}${FOLDER}${needed}`;
  return here in locked || path === "" ? here : found(path.slice(0, Math.max(0, path.lastIndexOf(FOLDER) - 1)), needed);
}
