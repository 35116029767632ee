import type { Exhibit } from "./exhibit";

/** A page as pictures and axe see it. */
export interface Stop {
  readonly name: string;
  readonly path: string;
  /** A text that tells that all is there. */
  readonly shows: string | RegExp;
}

/** Every page of the dashboard, with what the lab has to show on it. */
export function stops({ project, completed, running }: Exhibit): readonly Stop[] {
  const run = completed[0] ?? "";
  const within = `project=${project.id}`;
  return [
    { name: "runs", path: `/runs?${within}`, shows: "Runs" },
    { name: "run-curves", path: `/runs/${run}`, shows: "Curves" },
    { name: "run-time", path: `/runs/${run}?tab=time`, shows: "Time" },
    { name: "run-exchange", path: `/runs/${run}?tab=exchange`, shows: "Exchange" },
    { name: "run-definition", path: `/runs/${run}?tab=definition`, shows: "Definition" },
    { name: "run-log", path: `/runs/${run}?tab=log`, shows: "Log" },
    { name: "run-files", path: `/runs/${run}?tab=files`, shows: "Files" },
    { name: "run-live", path: `/runs/${running}`, shows: "Curves" },
    { name: "workers", path: "/workers", shows: "Workers" },
  ];
}
