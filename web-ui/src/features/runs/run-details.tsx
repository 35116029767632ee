import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { Facts } from "@/shared/facts";
import { moment } from "@/shared/format";
import { QueryView } from "@/shared/query-view";

import { CancelRun } from "./cancel-run";
import { setting } from "./configuration";
import { RankTable } from "./rank-table";
import { isFinal } from "./run-states";
import { TimeLegend } from "./time-bar";
import { useRun } from "./use-runs";

interface RunDetailsProps {
  readonly id: string;
}

/** What the list does not tell of a run. */
export function RunDetails({ id }: RunDetailsProps): ReactNode {
  return (
    <QueryView query={useRun(id)} what="details of the run">
      {(run) => <WholeRun run={run} />}
    </QueryView>
  );
}

interface WholeRunProps {
  readonly run: Run;
}

function WholeRun({ run }: WholeRunProps): ReactNode {
  return (
    <Stack gap="md" align="stretch">
      <Facts
        of={[
          ["Dataset", setting(run.configuration, "dataset", "name")],
          ["Network", setting(run.configuration, "network", "preset")],
          ["Batch size", setting(run.configuration, "training", "batchSize")],
          ["Synchronization", setting(run.configuration, "synchronization", "kind")],
          ["Topology", setting(run.configuration, "topology", "kind")],
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
