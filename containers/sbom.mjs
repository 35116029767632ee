// usage: node sbom.mjs MAVEN JARS [NPM]
// What an image is made of, in CycloneDX's format: of Maven's list those that lie in the folder of jars, the Java runtime
// of JAVA_HOME, and npm's list as it is. Fails where a jar is in no list.

import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

const [maven, folder, npm] = process.argv.slice(2);
const bill = JSON.parse(readFileSync(maven, "utf8"));
const web = npm && JSON.parse(readFileSync(npm, "utf8"));

const left = new Set(readdirSync(folder));
const packed = bill.components.filter((component) => left.delete(jar(component)));
if (left.size > 0) {
  console.error(`equipoise images: no list names ${[...left].join(", ")}`);
  process.exit(1);
}
bill.components = [...packed, runtime(), ...(web ? [web.metadata.component, ...web.components] : [])];

const told = new Set([bill.metadata.component, ...bill.components].map((component) => component["bom-ref"]));
const dependencies = new Map(
  [...bill.dependencies, ...(web?.dependencies ?? [])].map(({ ref, dependsOn }) => [ref, dependsOn ?? []]),
);
bill.dependencies = [...dependencies]
  .filter(([ref]) => told.has(ref))
  .map(([ref, dependsOn]) => ({ ref, dependsOn: [...new Set(dependsOn.flatMap(nearest))] }));

console.log(JSON.stringify(bill, null, 2));

/** Itself, or what it stands for where it is not packed, as a starter of Spring's is not. */
function nearest(ref) {
  return told.has(ref) ? [ref] : (dependencies.get(ref) ?? []).flatMap(nearest);
}

/** The name under which Maven lays a component into a folder. */
function jar({ name, version, purl }) {
  const classifier = new URLSearchParams(purl.split("?")[1]).get("classifier");
  return `${[name, version, ...(classifier ? [classifier] : [])].join("-")}.jar`;
}

function runtime() {
  const release = readFileSync(`${process.env.JAVA_HOME}/release`, "utf8");
  const said = (name) => new RegExp(`^${name}="(.*)"$`, "m").exec(release)?.[1];
  return {
    type: "platform",
    "bom-ref": "java-runtime",
    supplier: { name: said("IMPLEMENTOR") },
    name: "openjdk",
    version: said("JAVA_RUNTIME_VERSION"),
  };
}
