import type { Exhibit } from "./exhibit";
import { call, type Identified } from "./service";

/** A page as pictures and axe see it. */
export interface Stop {
  readonly name: string;
  readonly path: string;
  /** A text that tells that all is there. */
  readonly shows: string | RegExp;
}

/** Every page of the dashboard, with what the lab has to show on it. */
export async function stops({ project, completed, running }: Exhibit): Promise<readonly Stop[]> {
  const { items: workers } = await call<{ items: readonly Identified[] }>("GET /workers?state=IDLE,BUSY");
  const run = completed[0] ?? "";
  const worker = workers[0]?.id ?? "";
  const { experiment } = await call<{ experiment: string }>(`GET /runs/${run}`);
  const compared = `/compare?runs=${encodeURIComponent(JSON.stringify(completed))}`;
  return [
    { name: "runs", path: `/runs?project=${project.id}`, shows: "methods" },
    { name: "run-curves", path: `/runs/${run}`, shows: "Test accuracy" },
    { name: "run-time", path: `/runs/${run}?tab=time`, shows: "Seconds of an epoch" },
    { name: "run-exchange", path: `/runs/${run}?tab=exchange`, shows: "Exchange" },
    { name: "run-topology", path: `/runs/${run}?tab=topology`, shows: "Topology" },
    { name: "run-definition", path: `/runs/${run}?tab=definition`, shows: "Definition" },
    { name: "run-log", path: `/runs/${run}?tab=log`, shows: "Log" },
    { name: "run-files", path: `/runs/${run}?tab=files`, shows: "Files" },
    { name: "run-live", path: `/runs/${running}`, shows: "Training loss" },
    { name: "compare-curves", path: compared, shows: "Compare" },
    { name: "compare-trade-offs", path: `${compared}&tab=trade-offs`, shows: "Compare" },
    { name: "compare-scaling", path: `${compared}&tab=scaling`, shows: "Compare" },
    { name: "compare-parallel", path: `${compared}&tab=parallel`, shows: "Compare" },
    { name: "compare-differences", path: `${compared}&tab=differences`, shows: "Compare" },
    { name: "compare-empty", path: "/compare", shows: "Compare" },
    { name: "workers", path: "/workers", shows: "fast" },
    { name: "worker", path: `/workers/${worker}`, shows: "Profiles" },
    { name: "plan", path: "/plan", shows: "Ways to train" },
    { name: "plan-experiment", path: `/plan?experiment=${experiment}`, shows: "apiVersion" },
    { name: "account", path: "/account", shows: "Tokens" },
    { name: "projects", path: "/lab/projects", shows: "Digit study" },
    { name: "project", path: `/lab/projects/${project.id}`, shows: "Members" },
    { name: "users", path: "/lab/users", shows: "Users" },
    { name: "audit", path: "/lab/audit", shows: "Audit" },
    { name: "links", path: "/workers/links", shows: "Links" },
  ];
}
