import { Code, Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Worker } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { ago, factor, memory, moment } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Section } from "@/shared/section";
import { StateBadge } from "@/shared/state-badge";

import { useWorkers } from "./use-workers";

const STATE_COLORS: Record<Worker["state"], string> = {
  JOINING: "cyan",
  IDLE: "teal",
  BUSY: "indigo",
  DRAINING: "orange",
  LOST: "red",
  LEFT: "gray",
};

/** The columns as of the moment (milliseconds) at which the workers were read. */
function columns(asOf: number): readonly Column<Worker>[] {
  return [
    { header: "Worker", cell: ({ name }) => name },
    {
      header: "State",
      cell: ({ state, cordon }) => (
        <>
          <StateBadge state={state} color={STATE_COLORS[state]} />
          {cordon !== "OPEN" && (
            <Text span size="xs" ml="xs">
              {cordon.toLowerCase()}
            </Text>
          )}
        </>
      ),
    },
    { header: "Host", cell: ({ host }) => <Host host={host} /> },
    { header: "Threads", cell: ({ host }) => host.threads, numeric: true },
    { header: "Slow-down", cell: ({ host }) => factor(host.slowDown), numeric: true },
    {
      header: "Last seen",
      cell: ({ lastSeenAt }) => (
        <time dateTime={lastSeenAt} title={moment(lastSeenAt)}>
          {ago(lastSeenAt, asOf)}
        </time>
      ),
    },
  ];
}

export function WorkersPage(): ReactNode {
  const query = useWorkers();
  return (
    <Section title="Workers" count={query.data?.length}>
      <Listing
        query={query}
        what="workers"
        empty={
          <>
            No workers yet. Start one with{" "}
            <Code>./equipoise agent --service {window.location.origin} --join-token TOKEN</Code>; POST to{" "}
            <Code>/api/v1/join-tokens</Code> gives the token.
          </>
        }
      >
        {(workers, asOf) => (
          <DataTable label="Workers" columns={columns(asOf)} rows={workers} rowKey={({ id }) => id} />
        )}
      </Listing>
    </Section>
  );
}

function Host({ host }: Pick<Worker, "host">): ReactNode {
  return (
    <>
      {host.name}
      <Text c="dimmed" size="xs">
        {host.system}, {host.processors} {host.processors === 1 ? "processor" : "processors"}, {memory(host.memoryBytes)}
      </Text>
    </>
  );
}
