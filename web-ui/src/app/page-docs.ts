import type { DocLink } from "@/shared/doc-link";

/** Where the documentation describes the pages of the dashboard: by the beginning of the address, the longest first. */
export const PAGE_DOCS: readonly (readonly [path: string, docs: DocLink])[] = [
  ["/workers/links", { page: "exchange", anchor: "links-and-a-ring-that-follows-them" }],
  ["/lab/users", { page: "security", anchor: "who-can-do-what" }],
  ["/lab/audit", { page: "security", anchor: "what-protects-the-service" }],
  ["/workers", { page: "profiles" }],
  ["/compare", { page: "comparison" }],
  ["/account", { page: "security", anchor: "who-can-do-what" }],
  ["/plan", { page: "planning" }],
  ["/runs", { page: "comparison", anchor: "what-happens-in-a-run" }],
  ["/lab", { page: "queue", anchor: "quotas" }],
];

/** Returns the documentation of the page at a path; that of the dashboard if it has none of its own. */
export function docsOfPage(path: string): DocLink {
  return PAGE_DOCS.find(([start]) => path.startsWith(start))?.[1] ?? { page: "dashboard" };
}
