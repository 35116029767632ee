import { describe, expect, it } from "vitest";

import { agentCommand } from "./agent-command";

describe("agentCommand", () => {
  const agent = { token: "eqj_1", service: "http://lab:8080", name: "gpu-box" };

  it("starts an agent with its name", () => {
    expect(agentCommand(agent, "archive")).toBe(
      "EQUIPOISE_JOIN_TOKEN=eqj_1 ./equipoise agent --service http://lab:8080 --host ADDRESS --name gpu-box",
    );
  });

  it("quotes a name that a shell would split, and omits an empty one", () => {
    expect(agentCommand({ ...agent, name: "Ann's $box" }, "archive")).toContain(` --name 'Ann'\\''s $box'`);
    expect(agentCommand({ ...agent, name: "" }, "archive")).not.toContain("--name");
  });

  it("changes two settings of the Debian package, keeps the others, and starts its unit", () => {
    expect(agentCommand(agent, "debian").split("\n")).toEqual([
      "(umask 077; echo eqj_1 > /etc/equipoise/join-token)",
      "sed -i -e 's|^EQUIPOISE_SERVICE=.*|EQUIPOISE_SERVICE=http://lab:8080|' \\",
      "  -e 's|^EQUIPOISE_AGENT_OPTIONS=.*|EQUIPOISE_AGENT_OPTIONS=--host ADDRESS --name gpu-box|' /etc/equipoise/agent.env",
      "systemctl enable --now equipoise-agent",
    ]);
  });

  it("starts a container on the network of its host", () => {
    expect(agentCommand(agent, "container")).toMatch(
      /^docker run .*--network host .*equipoise-agent:VERSION --service/,
    );
  });
});
