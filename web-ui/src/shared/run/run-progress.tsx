import { Progress, Text } from "@mantine/core";
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
      <Progress value={100 * fraction} color={STATE_COLORS[run.state]} size="sm" aria-label="Progress of the run" />
      <Text c="dimmed" size="xs">
        <span>
          epoch {epoch}/{epochs} ·
        </span>{" "}
        <span>
          round {round}/{rounds}
        </span>
      </Text>
    </div>
  );
}
