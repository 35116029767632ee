import { describe, expect, it } from "vitest";

import type { Schema } from "./definition-schema";
import { SCHEMA, SERVED } from "./testing-schema";

/** Visits a schema and all schemas inside of it. */
function visit(schema: Schema, at: string, look: (schema: Schema, at: string) => void): void {
  look(schema, at);
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(schema.$defs ?? {}),
    ...(schema.oneOf ?? []).map((one, index) => [index.toString(), one] as const),
    ...(schema.items === undefined ? [] : [["items", schema.items] as const]),
  ];
  for (const [name, next] of inner) {
    if (name !== "complete") {
      visit(next, `${at}/${name}`, look);
    }
  }
}

describe("the schema of definitions", () => {
  it("names only schemas that exist", () => {
    visit(SERVED, "", ({ $ref }, at) => {
      if ($ref !== undefined) {
        expect(Object.keys(SERVED.$defs ?? {}), at).toContain($ref.replace("#/$defs/", ""));
      }
    });
  });

  it("describes every path that a parameter grid may vary", () => {
    const paths = SCHEMA.paths();

    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter(({ about }) => about === "")).toEqual([]);
  });

  it("has a place for each of these paths", () => {
    for (const { label } of SCHEMA.paths()) {
      expect(SCHEMA.at(label), label).not.toBeNull();
    }
    expect(SCHEMA.at("training.speed")).toBeNull();
  });
});
