import { existsSync } from "node:fs";

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";

import { headingAnchors } from "@/features/docs/headings";
import { imageOf, PAGES, textOf } from "@/features/docs/pages";
import { pathFrom, targetOf } from "@/features/docs/target";
import { DOCS } from "@/features/plan/doc-links";
import type { DocLink } from "@/shared/doc-link";
import { Markdown } from "@/shared/markdown";

import { docsOfPage, PAGE_DOCS } from "./page-docs";

interface Rendered {
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
  readonly images: readonly string[];
}

const PLAIN = { a: "a", img: "img", h1: "h1", h2: "h2", h3: "h3", h4: "h4", h5: "h5" } as const;

/** All pages of the documentation as HTML, by their attributes. */
const pages = new Map<string, Rendered>();

async function rendered(page: string): Promise<Rendered> {
  const text = (await textOf(page)) ?? "";
  const html = renderToStaticMarkup(
    createElement(Markdown, { text, components: PLAIN, rehypePlugins: [headingAnchors], skipHtml: true }),
  );
  const all = (attribute: string): string[] =>
    [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
  return { anchors: new Set(all("id")), links: all("href"), images: all("src") };
}

function exists({ page, anchor }: DocLink): boolean {
  const found = pages.get(page);
  return found !== undefined && (anchor === undefined || found.anchors.has(anchor));
}

describe("the documentation in the dashboard", () => {
  beforeAll(async () => {
    for (const page of PAGES) {
      pages.set(page, await rendered(page));
    }
  });

  it("contains all pages", () => {
    expect([...PAGES]).toEqual(expect.arrayContaining(["index", "methods", "adr/0001-main-choices"]));
  });

  it("has no link that leads nowhere", () => {
    const broken = [...pages].flatMap(([page, { links }]) =>
      links
        .filter((link) => {
          const target = targetOf(page, link);
          return target.kind === "page" ? !exists(target) : target.kind === "file" && !isInRepository(target.path);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("has all its images", () => {
    const images = [...pages].flatMap(([page, { images }]) => images.map((image) => pathFrom(page, image)));

    expect(images.length).toBeGreaterThan(0);
    expect(images.filter((image) => imageOf(image) === undefined)).toEqual([]);
  });

  it("is linked from fields and pages at places that exist", () => {
    const links = [...Object.values(DOCS), ...PAGE_DOCS.map(([, docs]) => docs), docsOfPage("/")];

    expect(links.filter((link) => !exists(link))).toEqual([]);
  });
});

function isInRepository(path: string): boolean {
  return existsSync(`../docs/${path}`);
}
