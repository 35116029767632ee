import type { ReactNode } from "react";

import { AnchorLink } from "./links";

/** A place in the documentation that comes with the dashboard. */
export interface DocLink {
  /** Name of the page, without `.md`. */
  readonly page: string;
  /** Heading on the page. */
  readonly anchor?: string;
}

interface DocAnchorProps {
  readonly to: DocLink;
  readonly children: ReactNode;
}

/** A link into the documentation. */
export function DocAnchor({ to: { page, anchor }, children }: DocAnchorProps): ReactNode {
  return (
    <AnchorLink
      to="/docs/$"
      params={{ _splat: page }}
      {...(anchor !== undefined && { hash: anchor })}
      size="sm"
      // Color alone does not tell a link from the text around it.
      underline="always"
    >
      {children}
    </AnchorLink>
  );
}
