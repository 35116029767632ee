import { describe, expect, it } from "vitest";

import { pathFrom, targetOf } from "./target";

describe("links of the documentation", () => {
  it("lead to pages and their headings", () => {
    expect(targetOf("index", "methods.md")).toEqual({ kind: "page", page: "methods" });
    expect(targetOf("index", "queue.md#priority")).toEqual({ kind: "page", page: "queue", anchor: "priority" });
    expect(targetOf("queue", "#priority")).toEqual({ kind: "page", page: "queue", anchor: "priority" });
    expect(targetOf("adr/0001-main-choices", "../queue.md")).toEqual({ kind: "page", page: "queue" });
  });

  it("lead out of the dashboard, or name a file of the repository", () => {
    expect(targetOf("index", "https://arxiv.org/abs/1")).toEqual({
      kind: "external",
      address: "https://arxiv.org/abs/1",
    });
    expect(targetOf("index", "../README.md")).toEqual({ kind: "file", path: "../README.md" });
  });

  it("have paths from the folder of the documentation", () => {
    expect(pathFrom("adr/0001-main-choices", "./images/a.png")).toBe("adr/images/a.png");
    expect(pathFrom("index", "images/a.png")).toBe("images/a.png");
  });
});
