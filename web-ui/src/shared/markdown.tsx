import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";

import classes from "./markdown.module.css";

const PLUGINS = [remarkGfm];

/** Headings begin below those of sections. Images would be loaded from other hosts, so they are links. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <ExternalLink href={href}>{children}</ExternalLink>,
  img: ({ src, alt }) => (
    <ExternalLink href={typeof src === "string" ? src : undefined}>
      {alt === undefined || alt === "" ? "Image" : alt}
    </ExternalLink>
  ),
};

interface ExternalLinkProps {
  readonly href: string | undefined;
  readonly children: ReactNode;
}

/** A link that tells the other page nothing; without an address, which the renderer removes if it is unsafe, a text. */
export function ExternalLink({ href, children }: ExternalLinkProps): ReactNode {
  return href === undefined || href === "" ? (
    <span>{children}</span>
  ) : (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
      {children}
    </Anchor>
  );
}

interface MarkdownProps extends Pick<Options, "rehypePlugins" | "skipHtml"> {
  readonly text: string;
  /** Take the place of those for notes. */
  readonly components?: Components;
}

/** A text in Markdown, with tables. HTML in it is shown as text, unless it is skipped. */
export function Markdown({ text, components, ...options }: MarkdownProps): ReactNode {
  return (
    <div className={classes.text}>
      <ReactMarkdown remarkPlugins={PLUGINS} components={{ ...COMPONENTS, ...components }} {...options}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
