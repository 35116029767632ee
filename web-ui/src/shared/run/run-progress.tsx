import type { ReactNode } from "react";

import type { RunSummary } from "@/api/schemas";
import { NONE } from "@/shared/format";

import classes from "./run-progress.module.css";
import { STATE_COLORS } from "./run-states";

interface RunProgressProps {
  readonly run: Pick<RunSummary, "startedAt" | "state" | "progress">;
}

export function RunProgress({ run }: RunProgressProps): ReactNode {
  if (run.startedAt == null) {
    return NONE;
  }
  const { epoch, epochs, round, rounds, fraction } = run.progress;
  return (
    <div className={classes.progress}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Progress of the run"
        aria-valuenow={Math.round(100 * fraction)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div
          className={classes.bar}
          style={{
            width: `${(100 * fraction).toString()}%`,
            background: `var(--mantine-color-${STATE_COLORS[run.state]}-filled)`,
          }}
        />
      </div>
      <div className={classes.words}>
        epoch {epoch}/{epochs} · round {round}/{rounds}
      </div>
    </div>
  );
}
