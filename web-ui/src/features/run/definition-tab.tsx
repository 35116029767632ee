import { Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { runNumber } from "@/shared/run/run-name";
import { Section } from "@/shared/section";

interface DefinitionTabProps {
  readonly run: Run;
}

type Replica = Run["replicas"][number];

const COLUMNS: readonly Column<Replica>[] = [
  { header: "Rank", cell: ({ rank, workerName }) => `${rank.toString()} · ${workerName}` },
  { header: "Share", cell: ({ share }) => share.toLocaleString("en"), numeric: true },
  { header: "Samples per mini-batch", cell: ({ batch }) => [...new Set(batch)].join(" to "), numeric: true },
];

/** The resolved configuration, and the share of each rank. */
export function DefinitionTab({ run }: DefinitionTabProps): ReactNode {
  const text = JSON.stringify(run.configuration, null, 2);
  const { automatic } = run.configuration;
  return (
    <Stack>
      {run.replicas.length > 0 && (
        <Section title="Shares">
          <DataTable label="Shares" columns={COLUMNS} rows={run.replicas} rowKey={({ rank }) => rank} />
        </Section>
      )}
      {automatic && (
        <Text size="sm">
          Chosen by the service: {automatic.choices?.join(", ")}. {automatic.reason}
        </Text>
      )}
      <Section title={`Run ${runNumber(run)} of version ${run.experimentVersion.toString()}`}>
        <Group px="md" pb="xs">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>
                {copied ? "Copied" : "Copy"}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Code block tabIndex={0} aria-label="Configuration as JSON">
          {text}
        </Code>
      </Section>
    </Stack>
  );
}
