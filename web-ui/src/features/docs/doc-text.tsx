import { useMemo, type ReactNode } from "react";
import type { Components } from "react-markdown";

import { DocAnchor } from "@/shared/doc-link";
import { ExternalLink, Markdown } from "@/shared/markdown";
import { PageTitle } from "@/shared/page-title";

import classes from "./docs-page.module.css";
import { headingAnchors, plainText } from "./headings";
import { imageOf } from "./pages";
import { pathFrom, targetOf } from "./target";

const ANCHORS = [headingAnchors];

interface DocTextProps {
  readonly page: string;
  readonly text: string;
}

/** A page of the documentation, with working links and images. */
export function DocText({ page, text }: DocTextProps): ReactNode {
  // Other components would replace every element, and with it the link that has the focus.
  const components = useMemo(() => componentsOf(page), [page]);
  return <Markdown text={text} components={components} rehypePlugins={ANCHORS} skipHtml />;
}

function componentsOf(page: string): Components {
  return {
    h1: ({ node }) => <PageTitle>{node === undefined ? page : plainText(node)}</PageTitle>,
    ...Object.fromEntries(["h2", "h3", "h4", "h5"].map((name) => [name, name])),
    a: ({ href = "", children }) => (
      <DocsLink page={page} link={href}>
        {children}
      </DocsLink>
    ),
    img: ({ src, alt = "" }) => (
      <img
        className={classes.image}
        src={typeof src === "string" ? imageOf(pathFrom(page, src)) : undefined}
        alt={alt}
        loading="lazy"
      />
    ),
    pre: ({ children }) => (
      // A block that is too wide scrolls, by keyboard as well.
      <pre tabIndex={0}>{children}</pre>
    ),
  };
}

interface DocsLinkProps {
  readonly page: string;
  readonly link: string;
  readonly children: ReactNode;
}

function DocsLink({ page, link, children }: DocsLinkProps): ReactNode {
  const target = targetOf(page, link);
  switch (target.kind) {
    case "page":
      return <DocAnchor to={target}>{children}</DocAnchor>;
    case "external":
      return <ExternalLink href={target.address}>{children}</ExternalLink>;
    case "file":
      return <span title={`In the repository: ${target.path}`}>{children}</span>;
  }
}
