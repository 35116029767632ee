import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";

const bill = JSON.parse(execFileSync(process.execPath, ["scripts/components.mjs"], { encoding: "utf8" }));
const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));

test("the bill lists what the dashboard depends on, and no tool of its development", () => {
  const names = bill.components.map(({ name }) => name);

  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  // Which what is shipped asks for as well, in that it names it as a peer.
  expect(names.filter((name) => name in devDependencies)).toEqual(["@types/react"]);
});

test("all but the dashboard itself is asked for by something that the bill lists", () => {
  const asked = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn));

  expect([...asked].sort()).toEqual(bill.components.map((component) => component["bom-ref"]).sort());
});

test("each is told by version, licence and the digest of what npm has fetched", () => {
  const react = bill.components.find(({ name }) => name === "react");
  const { version, integrity } = JSON.parse(readFileSync("package-lock.json", "utf8")).packages["node_modules/react"];

  expect(react).toMatchObject({ purl: `pkg:npm/react@${version}`, licenses: [{ license: { id: "MIT" } }] });
  expect(Buffer.from(react.hashes[0].content, "hex").toString("base64")).toBe(integrity.replace("sha512-", ""));
  expect(bill.components.map(({ hashes }) => hashes[0].content.length)).toEqual(bill.components.map(() => 128));
});
