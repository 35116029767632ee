import type { ReactNode } from "react";

import { seconds } from "@/shared/format";

import type { RankTimes } from "./rank-figures";
import classes from "./time-bar.module.css";

const PARTS = [
  { name: "compute", figure: "computeSeconds" },
  { name: "transfer", figure: "transferSeconds" },
  { name: "wait", figure: "waitSeconds" },
] as const;

interface TimeBarProps {
  readonly times: RankTimes;
  /** The seconds that fill the whole width. */
  readonly scale: number;
}

/** How a rank spends an epoch, drawn to a scale that the ranks of a run share. */
export function TimeBar({ times, scale }: TimeBarProps): ReactNode {
  const spoken = PARTS.map(({ name, figure }) => `${name} ${seconds(times[figure])}`).join(", ");
  return (
    <div className={classes.bar} role="img" aria-label={spoken} title={spoken}>
      {PARTS.map(({ name, figure }) => (
        <span key={name} data-part={name} style={{ width: `${((100 * times[figure]) / scale).toString()}%` }} />
      ))}
    </div>
  );
}

export function TimeLegend(): ReactNode {
  return (
    <ul className={classes.legend} aria-hidden>
      {PARTS.map(({ name }) => (
        <li key={name}>
          <span data-part={name} />
          {name}
        </li>
      ))}
    </ul>
  );
}
