import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { type ReactNode } from "react";

import { basePath } from "@/api/base";
import { accountSearch } from "@/features/account/tokens";
import { compareSearch } from "@/features/compare/compare-search";
import { auditSearch } from "@/features/lab/audit-search";
import { planSearch } from "@/features/plan/plan-search";
import { runSearch } from "@/features/run/run-search";
import { runsSearch } from "@/features/runs/runs-search";
import { linksSearch, workerSearch, workersSearch } from "@/features/workers/workers-search";
import { text } from "@/shared/search";

import { NotFound } from "./not-found";
import { Shell } from "./shell";

export interface RouterContext {
  readonly onSignOut: () => void;
}

const root = createRootRouteWithContext<RouterContext>()({
  validateSearch: (given: Record<string, unknown>): { project?: string } => text(given, "project"),
  search: { middlewares: [retainSearchParams(["project"])] },
  component: ShellWithContext,
  notFoundComponent: NotFound,
});

function ShellWithContext(): ReactNode {
  const { onSignOut } = root.useRouteContext();
  return <Shell onSignOut={onSignOut} />;
}

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router throws redirects
    throw redirect({ to: "/runs", replace: true });
  },
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import("@/features/runs/runs-page"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run",
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import("@/features/run/run-page"), "RunPage"),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import("@/features/compare/compare-page"), "ComparePage"),
});

const workers = createRoute({
  getParentRoute: () => root,
  path: "/workers",
  validateSearch: workersSearch,
  component: lazyRouteComponent(() => import("@/features/workers/workers-page"), "WorkersPage"),
});

const links = createRoute({
  getParentRoute: () => root,
  path: "/workers/links",
  validateSearch: linksSearch,
  component: lazyRouteComponent(() => import("@/features/workers/links-page"), "LinksPage"),
});

const worker = createRoute({
  getParentRoute: () => root,
  path: "/workers/$worker",
  validateSearch: workerSearch,
  component: lazyRouteComponent(() => import("@/features/workers/worker-page"), "WorkerPage"),
});

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import("@/features/account/account-page"), "AccountPage"),
});

const projects = createRoute({
  getParentRoute: () => root,
  path: "/lab/projects",
  component: lazyRouteComponent(() => import("@/features/lab/projects-page"), "ProjectsPage"),
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/lab/projects/$project",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("@/features/lab/project-page"), "ProjectPage"),
});

const users = createRoute({
  getParentRoute: () => root,
  path: "/lab/users",
  component: lazyRouteComponent(() => import("@/features/lab/users-page"), "UsersPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/lab/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("@/features/lab/audit-page"), "AuditPage"),
});

const plan = createRoute({
  getParentRoute: () => root,
  path: "/plan",
  validateSearch: planSearch,
  component: lazyRouteComponent(() => import("@/features/plan/plan-page"), "PlanPage"),
});

const docs = createRoute({
  getParentRoute: () => root,
  path: "/docs/$",
  component: lazyRouteComponent(() => import("@/features/docs/docs-page"), "DocsPage"),
});

const routeTree = root.addChildren([
  start,
  runs,
  run,
  compare,
  workers,
  links,
  worker,
  account,
  projects,
  project,
  users,
  audit,
  plan,
  docs,
]);

// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- the type follows from the routes
export function createDashboardRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    basepath: basePath() || "/",
    context,
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
