import { expect, it } from "vitest";

import { checkNode } from "./node-version.mjs";

it.each(["18.20.4", "20.18.3"])("refuses Node.js %s", (version) => {
  expect(checkNode(version)).toEqual({
    failure: `The build of the dashboard needs Node.js 22.12 or newer, or at least 20.19, but the PATH has ${version}.`,
  });
});

it.each(["20.19.0", "21.7.3", "22.11.0"])("advises against Node.js %s, which works", (version) => {
  expect(checkNode(version)).toEqual({
    advice: `Node.js ${version} builds the dashboard, but prefer 22.12 or newer: older ones get no more security fixes.`,
  });
});

it.each(["22.12.0", "24.0.0", "25.2.1"])("prefers Node.js %s", (version) => {
  expect(checkNode(version)).toEqual({});
});
