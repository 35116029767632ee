/** How the agent is installed on the new machine. */
export const INSTALLATIONS = ["archive", "debian", "container"] as const;
export type Installation = (typeof INSTALLATIONS)[number];

export const INSTALLATION_NAMES: Record<Installation, string> = {
  archive: "Archive or checkout",
  debian: "Debian package",
  container: "Container image",
};

interface NewAgent {
  readonly token: string;
  /** Address of the service. */
  readonly service: string;
  /** Display name of the worker; empty for the name of its host. */
  readonly name: string;
}

/** Returns the lines that start an agent by a join token. */
export function agentCommand(agent: NewAgent, installation: Installation): string {
  switch (installation) {
    case "archive":
      return `EQUIPOISE_JOIN_TOKEN=${agent.token} ./equipoise agent --service ${agent.service} ${options(agent)}`;
    case "debian":
      return debianCommands(agent);
    case "container":
      return [
        `docker run --detach --network host --shm-size 256m --volume equipoise-agent:/var/lib/equipoise`,
        `--env EQUIPOISE_JOIN_TOKEN=${agent.token} equipoise-agent:VERSION --service ${agent.service} ${options(agent)}`,
      ].join(" ");
  }
}

/** Changes two settings of the unit, as root, and keeps the others, such as the authority of an https service. */
function debianCommands({ token, service, name }: NewAgent): string {
  const named = isPlain(name) ? ` --name ${name}` : "";
  return [
    `(umask 077; echo ${token} > /etc/equipoise/join-token)`,
    `sed -i -e 's|^EQUIPOISE_SERVICE=.*|EQUIPOISE_SERVICE=${service}|' \\`,
    `  -e 's|^EQUIPOISE_AGENT_OPTIONS=.*|EQUIPOISE_AGENT_OPTIONS=--host ADDRESS${named}|' /etc/equipoise/agent.env`,
    "systemctl enable --now equipoise-agent",
  ].join("\n");
}

/** Quotes a name that a shell would split. */
function options({ name }: NewAgent): string {
  const quoted = isPlain(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  return name === "" ? "--host ADDRESS" : `--host ADDRESS --name ${quoted}`;
}

function isPlain(name: string): boolean {
  return /^[\w.-]+$/.test(name);
}
