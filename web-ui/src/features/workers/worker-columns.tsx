import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Worker } from "@/api/schemas";
import { NONE, ago, factor, memory, moment, sentenceCase } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { StateBadge } from "@/shared/state-badge";
import type { VirtualColumn } from "@/shared/virtual-table";

import { missedBy } from "./reachability";
import { STATE_COLORS } from "./states";
import { agentText, labelText } from "./worker-list";

/**
 * The columns, as of the moment (milliseconds) at which the workers were read.
 * @param all all workers, also those that the table does not show
 */
export function columns(asOf: number, all: readonly Worker[]): readonly VirtualColumn<Worker>[] {
  return [
    {
      id: "name",
      header: "Worker",
      width: "minmax(8rem, 1fr)",
      sort: "name",
      cell: ({ id, name }) => (
        <AnchorLink to="/workers/$worker" params={{ worker: id }} size="sm">
          {name}
        </AnchorLink>
      ),
    },
    {
      id: "state",
      header: "State",
      width: "13rem",
      sort: "state",
      cell: (worker) => (
        <Group gap="xs" wrap="nowrap">
          <State worker={worker} />
          <Missed by={missedBy(worker, all)} />
        </Group>
      ),
    },
    { id: "host", header: "Host", width: "minmax(8rem, 1fr)", sort: "host", cell: ({ host }) => host.name },
    { id: "labels", header: "Labels", width: "minmax(6rem, 1fr)", cell: ({ labels }) => labelText(labels) },
    {
      id: "agent",
      header: "Agent",
      width: "8rem",
      cell: (worker) => <span title={agentText(worker)}>{worker.agentVersion ?? NONE}</span>,
    },
    {
      id: "threads",
      header: "Threads",
      width: "7rem",
      numeric: true,
      sort: "threads",
      cell: ({ host }) => `${host.threads.toString()} of ${host.processors.toString()}`,
    },
    {
      id: "memory",
      header: "Memory",
      width: "7rem",
      numeric: true,
      sort: "memory",
      cell: ({ host }) => memory(host.memoryBytes),
    },
    {
      id: "slowDown",
      header: "Slowdown",
      width: "7rem",
      numeric: true,
      sort: "slowDown",
      cell: ({ host }) => factor(host.slowDown),
    },
    {
      id: "load",
      header: "Load",
      width: "6rem",
      numeric: true,
      sort: "load",
      cell: ({ load }) => (
        <span title="Run-queue length of the host over the last minute: threads of all programs that run or are ready">
          {load?.toFixed(1) ?? NONE}
        </span>
      ),
    },
    {
      id: "seen",
      header: "Heartbeat",
      width: "8rem",
      numeric: true,
      sort: "seen",
      cell: ({ lastSeenAt }) => (
        <time dateTime={lastSeenAt} title={moment(lastSeenAt)}>
          {ago(lastSeenAt, asOf)}
        </time>
      ),
    },
  ];
}

/** Marks a worker that others cannot reach; its title tells which, and why. */
function Missed({ by }: { readonly by: readonly string[] }): ReactNode {
  return (
    by.length > 0 && (
      <Text span size="xs" title={by.join("\n")}>
        Unreachable
      </Text>
    )
  );
}

export function State({ worker: { state, cordon } }: { readonly worker: Worker }): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap">
      <StateBadge state={state} color={STATE_COLORS[state]} />
      {cordon !== "OPEN" && (
        <Text span size="xs">
          {sentenceCase(cordon)}
        </Text>
      )}
    </Group>
  );
}
