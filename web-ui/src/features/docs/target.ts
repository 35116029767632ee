import type { DocLink } from "@/shared/doc-link";

import { PAGES } from "./pages";

/** Target of a link of the documentation. */
export type Target =
  | ({ readonly kind: "page" } & DocLink)
  | { readonly kind: "external"; readonly address: string }
  /** A file of the repository, which does not come with the dashboard. */
  | { readonly kind: "file"; readonly path: string };

const PAGE = /^(.+)\.md$/;

/** Returns what a link on a page leads to. */
export function targetOf(page: string, link: string): Target {
  if (/^[a-z]+:/.test(link)) {
    return { kind: "external", address: link };
  }
  const [path = "", anchor] = link.split("#");
  const within = anchor === undefined ? {} : { anchor };
  if (path === "") {
    return { kind: "page", page, ...within };
  }
  const name = pathFrom(page, path);
  const [, other = ""] = PAGE.exec(name) ?? [];
  return PAGES.has(other) ? { kind: "page", page: other, ...within } : { kind: "file", path: name };
}

/** Returns the path of a file from the folder of the documentation, by its path from a page. */
export function pathFrom(page: string, path: string): string {
  const parts = page.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") {
      parts.pop();
    } else if (part !== ".") {
      parts.push(part);
    }
  }
  return parts.join("/");
}
