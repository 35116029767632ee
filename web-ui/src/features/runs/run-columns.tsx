import { Badge, Text, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";

import type { RunSummary } from "@/api/schemas";
import { duration, figure, moment, NONE, percent, seconds, signedPercent } from "@/shared/format";
import { RowLink } from "@/shared/links";
import { method } from "@/shared/run/configuration";
import { expectedStart } from "@/shared/run/expected-start";
import { runName } from "@/shared/run/run-name";
import { RunProgress } from "@/shared/run/run-progress";
import { STATE_COLORS } from "@/shared/run/run-states";
import { secondsLeft } from "@/shared/run/time-left";
import { StateBadge } from "@/shared/state-badge";
import type { VirtualColumn } from "@/shared/virtual-table";

import type { ColumnId } from "./runs-search";

type Column = VirtualColumn<RunSummary>;

/** The first column, which is always shown. */
export const NAME: Column = {
  id: "name",
  header: "Run",
  width: "minmax(11rem, 1.5fr)",
  cell: (run) => (
    <RowLink path={`/runs/${run.id}`} title={runName(run)}>
      {runName(run)}
    </RowLink>
  ),
};

/** The columns that a user can show or hide. */
export const COLUMNS: Record<ColumnId, Column> = {
  state: {
    id: "state",
    header: "State",
    width: "minmax(8rem, 1.5fr)",
    cell: (run) => (
      <>
        <StateBadge state={run.state} color={STATE_COLORS[run.state]} /> <Reason run={run} />
      </>
    ),
  },
  progress: { id: "progress", header: "Progress", width: "11rem", cell: (run) => <RunProgress run={run} /> },
  timeLeft: {
    id: "timeLeft",
    header: "Time left",
    width: "7rem",
    numeric: true,
    cell: (run) => <TimeLeft run={run} />,
  },
  method: {
    id: "method",
    header: "Method",
    width: "minmax(13rem, 1.5fr)",
    cell: (run) => <span title={method(run)}>{method(run)}</span>,
  },
  seed: { id: "seed", header: "Seed", width: "4.5rem", numeric: true, cell: ({ seed }) => seed },
  epochSeconds: {
    id: "epochSeconds",
    header: "Epoch time",
    width: "6.5rem",
    numeric: true,
    sort: "epochSeconds",
    cell: ({ epochSeconds }) => seconds(epochSeconds),
  },
  predicted: {
    id: "predicted",
    header: "Predicted",
    width: "9rem",
    numeric: true,
    cell: (run) => <Predicted run={run} />,
  },
  testAccuracy: {
    id: "testAccuracy",
    header: "Accuracy",
    width: "6rem",
    numeric: true,
    sort: "testAccuracy",
    cell: ({ testAccuracy }) => percent(testAccuracy),
  },
  testLoss: {
    id: "testLoss",
    header: "Test loss",
    width: "6rem",
    numeric: true,
    sort: "testLoss",
    cell: ({ testLoss }) => figure(testLoss),
  },
  replicas: {
    id: "replicas",
    header: "Replicas",
    width: "6rem",
    cell: ({ replicasIdentical }) =>
      replicasIdentical == null ? NONE : replicasIdentical ? "identical" : <span data-caution>differ</span>,
  },
  tags: {
    id: "tags",
    header: "Tags",
    width: "minmax(5rem, 1fr)",
    cell: ({ tags }) =>
      tags.map((tag) => (
        <Badge key={tag} size="sm" variant="outline" color="gray" tt="none" mr={4}>
          {tag}
        </Badge>
      )),
  },
  priority: { id: "priority", header: "Priority", width: "5rem", numeric: true, cell: ({ priority }) => priority },
  queuedAt: moments("queuedAt", "Queued"),
  startedAt: moments("startedAt", "Started"),
  endedAt: moments("endedAt", "Ended"),
};

/** The columns that are shown until the user chooses others. */
export const DEFAULT_COLUMNS: readonly ColumnId[] = [
  "state",
  "progress",
  "timeLeft",
  "method",
  "seed",
  "epochSeconds",
  "predicted",
  "testAccuracy",
  "tags",
  "queuedAt",
];

function moments(id: "queuedAt" | "startedAt" | "endedAt", header: string): Column {
  return {
    id,
    header,
    width: "9.5rem",
    sort: id,
    cell: (run) => <time dateTime={run[id] ?? undefined}>{moment(run[id])}</time>,
  };
}

interface RunProps {
  readonly run: RunSummary;
}

/** Shows why the run does not proceed. */
function Reason({ run: { failure, waiting, place } }: RunProps): ReactNode {
  const text = failure
    ? `${failure.cause}: ${failure.message}`
    : waiting && `${place == null ? "" : `${place.toString()}. `}${waiting.message}`;
  return (
    text && (
      <Tooltip label={text} multiline w={360} openDelay={300}>
        <Text span size="xs" c={failure ? "var(--mantine-color-error)" : "dimmed"}>
          {text}
        </Text>
      </Tooltip>
    )
  );
}

function TimeLeft({ run }: RunProps): ReactNode {
  if (run.state === "QUEUED") {
    return run.predictedStart == null ? (
      <span title={`Expected to start: ${expectedStart(run)}`}>{NONE}</span>
    ) : (
      <span title="Predicted start">from {moment(run.predictedStart, "time")}</span>
    );
  }
  return duration(secondsLeft(run));
}

/** The predicted epoch time, with its error relative to the measured one. */
function Predicted({ run: { prediction, epochSeconds } }: RunProps): ReactNode {
  return (
    <>
      {seconds(prediction?.epochSeconds)}{" "}
      {prediction && epochSeconds != null && epochSeconds > 0 && (
        <Text span c="dimmed" size="xs" title="Error of the prediction relative to the measured time">
          {signedPercent((prediction.epochSeconds - epochSeconds) / epochSeconds)}
        </Text>
      )}
    </>
  );
}
