// usage: node sbom.mjs MAVEN JARS [NPM]
// Writes the software bill of materials (SBOM) of a program in CycloneDX's format: the components of Maven's list whose
// jars are in the folder JARS, the Java runtime of JAVA_HOME, and npm's list unchanged. Fails if no list names a jar.

import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

const [maven, folder, npm] = process.argv.slice(2);
const bill = JSON.parse(readFileSync(maven, "utf8"));
const web = npm && JSON.parse(readFileSync(npm, "utf8"));

const left = new Set(readdirSync(folder));
const packed = bill.components.filter((component) => left.delete(jar(component)));
if (left.size > 0) {
  console.error(`equipoise: no list names ${[...left].join(", ")}`);
  process.exit(1);
}
bill.components = [...packed, runtime(), ...(web ? [web.metadata.component, ...web.components] : [])];

const listed = new Set([bill.metadata.component, ...bill.components].map((component) => component["bom-ref"]));
const dependencies = new Map(
  [...bill.dependencies, ...(web?.dependencies ?? [])].map(({ ref, dependsOn }) => [ref, dependsOn ?? []]),
);
bill.dependencies = [...dependencies]
  .filter(([ref]) => listed.has(ref))
  .map(([ref, dependsOn]) => ({ ref, dependsOn: [...new Set(dependsOn.flatMap(nearest))] }));

console.log(JSON.stringify(bill, null, 2));

/** Returns the component itself, or its dependencies if it is not packed, such as a starter of Spring. */
function nearest(ref) {
  return listed.has(ref) ? [ref] : (dependencies.get(ref) ?? []).flatMap(nearest);
}

/** Returns the file name of a component in a folder that Maven has filled. */
function jar({ name, version, purl }) {
  const classifier = new URLSearchParams(purl.split("?")[1]).get("classifier");
  return `${[name, version, ...(classifier ? [classifier] : [])].join("-")}.jar`;
}

function runtime() {
  const release = readFileSync(`${process.env.JAVA_HOME}/release`, "utf8");
  const property = (name) => new RegExp(`^${name}="(.*)"$`, "m").exec(release)?.[1];
  return {
    type: "platform",
    "bom-ref": "java-runtime",
    supplier: { name: property("IMPLEMENTOR") },
    name: "openjdk",
    version: property("JAVA_RUNTIME_VERSION"),
  };
}
