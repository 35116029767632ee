import process from "node:process";
import { expect, test } from "vitest";

const VARIABLES = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];

test.each(VARIABLES)("%s is no folder of the user", (variable) => {
  expect(process.env[variable]).toContain("/web-ui/target/home");
});
