import { UnstyledButton } from "@mantine/core";
import type { ReactNode, RefObject } from "react";

import classes from "./legend.module.css";
import type { Series } from "./series";

/** Elements that show values, by the key of their line; the empty key shows the position. */
export type Cells = Map<string, HTMLElement>;

/** The key of the position. */
export const PLACE = "";

interface LegendProps {
  readonly series: readonly Series[];
  readonly hidden: ReadonlySet<string>;
  /** Filled while the cursor moves, which is too often for rendering. */
  readonly cells: RefObject<Cells>;
  readonly onToggle: (key: string) => void;
}

/** Lists the lines with their values at the cursor; pressing a line hides or shows it. */
export function Legend({ series, hidden, cells, onToggle }: LegendProps): ReactNode {
  const cell = (key: string) => (element: HTMLElement | null) => {
    if (element === null) {
      cells.current.delete(key);
    } else {
      cells.current.set(key, element);
    }
  };
  return (
    <div className={classes.legend}>
      <span ref={cell(PLACE)} className={classes.place} />
      {series
        .filter(({ rawOf }) => rawOf === undefined)
        .map(({ key, label, color, isDashed }) => (
          <UnstyledButton
            key={key}
            className={classes.line}
            aria-pressed={!hidden.has(key)}
            title={hidden.has(key) ? "Show this line" : "Hide this line"}
            onClick={() => {
              onToggle(key);
            }}
          >
            <svg viewBox="0 0 14 4" width={14} height={4} aria-hidden>
              <path d="M0 2h14" stroke={color} strokeWidth={3} strokeDasharray={isDashed ? "5 4" : undefined} />
            </svg>
            {label}
            <span ref={cell(key)} className={classes.value} />
          </UnstyledButton>
        ))}
    </div>
  );
}
