import { describe, expect, it } from "vitest";

import { agentCommand } from "./agent-command";

describe("agentCommand", () => {
  it("starts an agent with its name", () => {
    expect(agentCommand("eqj_1", "http://lab:8080", "gpu-box")).toBe(
      "EQUIPOISE_JOIN_TOKEN=eqj_1 ./equipoise agent --service http://lab:8080 --host ADDRESS --name gpu-box",
    );
  });

  it("quotes a name that a shell would split, and omits an empty one", () => {
    expect(agentCommand("eqj_1", "http://lab", "Ann's $box")).toContain(` --name 'Ann'\\''s $box'`);
    expect(agentCommand("eqj_1", "http://lab", "")).not.toContain("--name");
  });
});
