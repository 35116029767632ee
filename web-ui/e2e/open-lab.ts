import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LAUNCHER = join(import.meta.dirname, "../../equipoise");
const TOLD = {
  EQUIPOISE_URL: /The service stays up at (\S+)/,
  EQUIPOISE_TOKEN: /Token: (\S+)/,
  EQUIPOISE_LAB: /label lab=([^.]+)\./,
} as const;

/** Opens a lab of real processes, unless the environment tells of one that is open. */
export default async function openLab(): Promise<() => Promise<void>> {
  if (process.env.EQUIPOISE_URL !== undefined) {
    return () => Promise.resolve();
  }
  const data = mkdtempSync(join(tmpdir(), "equipoise-dashboard-"));
  const up = spawn(LAUNCHER, ["up", "--port", "0", "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
  const close = async (): Promise<void> => {
    if (up.exitCode === null) {
      up.kill();
      await once(up, "exit");
    }
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await listen(up);
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

function listen(up: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let told = "";
    up.stdout?.on("data", (text: Buffer) => {
      told += text.toString();
      const found = Object.entries(TOLD).map(([name, line]) => [name, line.exec(told)?.[1]] as const);
      if (found.every(([, value]) => value !== undefined)) {
        Object.assign(process.env, Object.fromEntries(found));
        resolve();
      }
    });
    up.once("exit", (status) => {
      reject(new Error(`The lab did not open, status ${String(status)}; what it told: ${told}`));
    });
  });
}
