import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useApi } from "@/api/api-context";
import { basePath } from "@/api/base";
import { answer } from "@/api/client";
import { download } from "@/api/download";
import type { Run, Schemas } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { moment, traffic } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Notice } from "@/shared/notice";
import { Section } from "@/shared/section";

import { modelText } from "./model-text";

interface FilesTabProps {
  readonly run: Run;
}

const COLUMNS: readonly Column<Schemas["StoredCheckpoint"]>[] = [
  { header: "After epoch", cell: ({ epoch }) => epoch },
  { header: "Generation", cell: ({ generation }) => generation, numeric: true },
  { header: "Ranks", cell: ({ ranks }) => ranks, numeric: true },
  { header: "Size", cell: ({ bytes }) => traffic(bytes), numeric: true },
  { header: "Stored", cell: ({ keptAt }) => moment(keptAt) },
];

/** Downloads of a run, its trained model, and its stored checkpoints. */
export function FilesTab({ run }: FilesTabProps): ReactNode {
  const api = useApi();
  const checkpoints = useQuery({
    queryKey: ["checkpoints", run.id, run.checkpointEpoch],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/runs/{id}/checkpoints", { params: { path: { id: run.id } }, signal }))).items,
  });
  return (
    <Stack>
      <Section title="Downloads">
        <Group px="md" pb="md" gap="xs">
          <Take
            what="Figures as CSV"
            path={`/api/v1/comparisons?runs=${run.id}&format=csv`}
            name={`run-${run.id}.csv`}
          />
          <Take what="Log" path={`/api/v1/runs/${run.id}/log`} accept="text/plain" name={`run-${run.id}.log`} />
          {run.configuration.trace && (
            <Take what="Trace for Chrome" path={`/api/v1/runs/${run.id}/trace`} name={`run-${run.id}-trace.json`} />
          )}
          <Take
            what="Bundle of the experiment"
            path={`/api/v1/experiments/${run.experiment}/bundle`}
            name={`${run.experimentName}.zip`}
          />
        </Group>
      </Section>
      <Section title="Trained model">
        <Stack px="md" pb="md" gap="xs" align="flex-start">
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {modelText(run)}
          </Text>
          {run.model != null && <ModelDownload run={run.id} />}
        </Stack>
      </Section>
      <Section title="Checkpoints" count={checkpoints.data?.length}>
        <Listing
          query={checkpoints}
          what="checkpoints"
          empty="There are no checkpoints. A run that supports them writes one after an epoch, to continue from; they are deleted when it ends, and its trained model stays."
        >
          {(kept) => <DataTable label="Checkpoints" columns={COLUMNS} rows={kept} rowKey={({ epoch }) => epoch} />}
        </Listing>
      </Section>
    </Stack>
  );
}

interface ModelDownloadProps {
  readonly run: string;
}

/** A link, with which the browser streams a file of any size to the disk. */
function ModelDownload({ run }: ModelDownloadProps): ReactNode {
  return (
    <Button component="a" href={`${basePath()}/api/v1/runs/${run}/model`} download size="xs" variant="default">
      Model (safetensors)
    </Button>
  );
}

interface TakeProps {
  readonly what: string;
  readonly path: string;
  readonly name: string;
  readonly accept?: string;
}

function Take({ what, path, name, accept = "*/*" }: TakeProps): ReactNode {
  const api = useApi();
  const take = useMutation({ mutationFn: () => download(api, path, name, { headers: { Accept: accept } }) });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={take.isPending}
        onClick={() => {
          take.mutate();
        }}
      >
        {what}
      </Button>
      {take.error && (
        <Text component="div" w="100%">
          <Notice title={`${what} could not be downloaded`} error={take.error} />
        </Text>
      )}
    </>
  );
}
