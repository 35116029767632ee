/** Returns the command that starts an agent by a join token; quotes a name that a shell would split. */
export function agentCommand(token: string, service: string, name: string): string {
  const quoted = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  const named = name === "" ? "" : ` --name ${quoted}`;
  return `EQUIPOISE_JOIN_TOKEN=${token} ./equipoise agent --service ${service} --host ADDRESS${named}`;
}
