import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";

const bill = JSON.parse(execFileSync(process.execPath, ["scripts/components.mjs"], { encoding: "utf8" }));
const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));

test("the SBOM lists the dependencies of the dashboard, and no development tools", () => {
  const names = bill.components.map(({ name }) => name);

  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  // A peer dependency of the shipped packages.
  expect(names.filter((name) => name in devDependencies)).toEqual(["@types/react"]);
});

test("every component except the dashboard is a dependency of another one", () => {
  const asked = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn));

  expect([...asked].sort()).toEqual(bill.components.map((component) => component["bom-ref"]).sort());
});

test("each component has its version, license and the digest of its npm package", () => {
  const react = bill.components.find(({ name }) => name === "react");
  const { version, integrity } = JSON.parse(readFileSync("package-lock.json", "utf8")).packages["node_modules/react"];

  expect(react).toMatchObject({ purl: `pkg:npm/react@${version}`, licenses: [{ license: { id: "MIT" } }] });
  expect(Buffer.from(react.hashes[0].content, "hex").toString("base64")).toBe(integrity.replace("sha512-", ""));
  expect(bill.components.map(({ hashes }) => hashes[0].content.length)).toEqual(bill.components.map(() => 128));
});
