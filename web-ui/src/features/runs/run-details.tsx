import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { Facts } from "@/shared/facts";
import { moment } from "@/shared/format";

import { CancelRun } from "./cancel-run";
import { setting } from "./configuration";
import { RankTable } from "./rank-table";
import { isFinal } from "./run-states";
import { TimeLegend } from "./time-bar";

interface RunDetailsProps {
  readonly run: Run;
}

export function RunDetails({ run }: RunDetailsProps): ReactNode {
  return (
    <Stack gap="md" align="stretch">
      <Facts
        of={[
          ["Dataset", setting(run, "dataset", "name")],
          ["Network", setting(run, "network", "preset")],
          ["Batch size", setting(run, "training", "batchSize")],
          ["Synchronization", setting(run, "synchronization", "kind")],
          ["Topology", setting(run, "topology", "kind")],
          ["Queued", moment(run.queuedAt)],
          ["Started", run.startedAt && moment(run.startedAt)],
          ["Ended", run.endedAt && moment(run.endedAt)],
          ["Id", run.id],
        ]}
      />
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={3} size="h6">
            Ranks
          </Title>
          <TimeLegend />
        </Group>
        {run.replicas.length === 0 ? (
          <Text c="dimmed" size="sm">
            The run is not placed yet.
          </Text>
        ) : (
          <RankTable run={run} />
        )}
      </Stack>
      {!isFinal(run.state) && (
        <div>
          <CancelRun run={run.id} />
        </div>
      )}
    </Stack>
  );
}
