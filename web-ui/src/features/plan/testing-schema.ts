import { readFileSync } from "node:fs";
import { parse } from "yaml";

import { DefinitionSchema, type Schema } from "./definition-schema";

/** The schema of definitions that the service serves. */
export const SERVED = parse(readFileSync("../app/src/main/resources/schema/definition.yaml", "utf8")) as Schema;

export const SCHEMA = new DefinitionSchema(SERVED);
