import { afterEach, describe, expect, it, vi } from "vitest";

import { basePath, serviceAddress, storageKey } from "./base";
import { createApi } from "./client";
import { servedAnywhere, servedBelow } from "./testing-base";

describe("the path of the service", () => {
  afterEach(servedAnywhere);

  it("precedes all others", () => {
    servedBelow("/labs/east/");

    expect(basePath()).toBe("/labs/east");
    expect(serviceAddress()).toBe(`${window.location.origin}/labs/east`);
    expect(storageKey("token")).toBe("equipoise.token/labs/east");
  });

  it.each(["/", "./"])("is empty at the root of the address: %s", (path) => {
    servedBelow(path);

    expect(basePath()).toBe("");
    expect(serviceAddress()).toBe(window.location.origin);
    expect(storageKey("token")).toBe("equipoise.token");
  });

  it("precedes the paths of the API", async () => {
    servedBelow("/labs/east/");
    const asked: string[] = [];
    vi.stubGlobal("fetch", (request: Request) => {
      asked.push(request.url);
      return Promise.resolve(Response.json({}));
    });

    await createApi(null).GET("/api/v1/networks");
    await createApi(null).request("/api/openapi");

    expect(asked).toEqual([`${serviceAddress()}/api/v1/networks`, `${serviceAddress()}/api/openapi`]);
  });
});
