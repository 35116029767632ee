import { call, type Identified } from "./service";

/** A page as pictures and axe see it. */
export interface Stop {
  readonly name: string;
  readonly path: string;
  /** A text that tells that all is there. */
  readonly shows: string | RegExp;
}

/** Every page of the dashboard, with what the lab has to show on it. */
export async function stops(project: Identified, runs: readonly string[]): Promise<readonly Stop[]> {
  const workers = await call<{ items: readonly Identified[] }>("GET /workers");
  const run = runs[0] ?? "";
  const worker = workers.items[0]?.id ?? "";
  const within = `project=${project.id}`;
  return [
    { name: "runs", path: `/runs?${within}`, shows: "Runs" },
    { name: "run-curves", path: `/runs/${run}`, shows: "Curves" },
    { name: "run-time", path: `/runs/${run}?tab=time`, shows: "Time" },
    { name: "run-exchange", path: `/runs/${run}?tab=exchange`, shows: "Exchange" },
    { name: "run-definition", path: `/runs/${run}?tab=definition`, shows: "Definition" },
    { name: "run-log", path: `/runs/${run}?tab=log`, shows: "Log" },
    { name: "run-files", path: `/runs/${run}?tab=files`, shows: "Files" },
    { name: "workers", path: "/workers", shows: "Workers" },
    { name: "worker", path: `/workers/${worker}`, shows: "Profiles" },
  ];
}
