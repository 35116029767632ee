import type { CSSProperties, ReactNode } from "react";

import { sentenceCase } from "./format";
import classes from "./state-badge.module.css";

interface StateBadgeProps {
  readonly state: string;
  /** One of the theme's colors. */
  readonly color: string;
}

/** A plain element, because long tables render several each frame. */
export function StateBadge({ state, color }: StateBadgeProps): ReactNode {
  const colors = {
    "--badge-ground": `var(--mantine-color-${color}-light)`,
    "--badge-text": `var(--mantine-color-${color}-light-color)`,
  } as CSSProperties;
  return (
    <span className={classes.badge} style={colors}>
      {sentenceCase(state)}
    </span>
  );
}
