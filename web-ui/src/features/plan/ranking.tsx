import { Badge, Button, Group, List, NativeSelect, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { DataTable, type Column, type Details } from "@/shared/data-table";
import { NONE, compact, duration, percent, seconds, traffic } from "@/shared/format";

import type { Order } from "./plan-search";
import { interval, limit, ordered, type Entry, type RankedEntry } from "./ranking-order";
import type { Planning } from "./use-plan";

const ORDER_LABELS: Record<Order, string> = {
  rank: "Rank",
  target: "Time to the target",
  epoch: "Epoch time",
  compute: "Computing time",
  exchange: "Exchange time",
  bytes: "Bytes per epoch",
};

type Part = Entry["ranks"][number];

const PARTS: readonly Column<Part>[] = [
  { header: "Rank", cell: ({ rank, worker }) => `${rank.toString()} · ${worker}` },
  { header: "Samples", cell: ({ share }) => share.toLocaleString("en"), numeric: true },
  { header: "Compute", cell: ({ seconds: it }) => seconds(it.computeSeconds), numeric: true },
  { header: "Transfer", cell: ({ seconds: it }) => seconds(it.transferSeconds), numeric: true },
  { header: "Wait", cell: ({ seconds: it }) => seconds(it.waitSeconds), numeric: true },
];

const DETAILS: Details<RankedEntry> = {
  label: ({ label }) => `Details of ${label}`,
  content: (entry) => <EntryDetails entry={entry} />,
};

interface RankingProps {
  readonly plan: Schemas["Plan"];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly chosen: Planning["chosen"];
  readonly onChoose: Planning["choose"];
}

/** Shows the ranked configurations with their predictions, and the excluded workers. */
export function Ranking({ plan, order, onOrder, chosen, onChoose }: RankingProps): ReactNode {
  return (
    <Stack gap="sm" pb="md">
      <Stack gap={4} px="md">
        {plan.advice !== null && <Text size="sm">{plan.advice}</Text>}
        <Text size="sm" c="dimmed">
          {meanError(plan)} Equal numbers are ties: their expected times overlap that of the first of them.
        </Text>
        {onChoose === null && (
          <Text size="sm" c="var(--equipoise-caution)">
            The definition has changed since this plan. Plan again to choose.
          </Text>
        )}
      </Stack>
      {plan.ranking.length === 0 ? (
        <Text size="sm" px="md">
          No configuration can be predicted. The list below names workers without a profile; virtual runs need none.
        </Text>
      ) : (
        <>
          <NativeSelect
            size="xs"
            px="md"
            w="22rem"
            label="Order"
            value={order}
            data={(Object.keys(ORDER_LABELS) as Order[]).map((value) => ({ value, label: ORDER_LABELS[value] }))}
            onChange={({ currentTarget: { value } }) => {
              onOrder(value as Order);
            }}
          />
          <DataTable
            label="Configurations"
            columns={columns(plan.target, chosen, onChoose)}
            rows={ordered(plan.ranking, order)}
            rowKey={({ rank }) => rank}
            note={({ reason }) => reason}
            details={DETAILS}
          />
        </>
      )}
      {plan.leftOut.length > 0 && (
        <Stack gap={4} px="md">
          <Text size="sm" fw={600} id="excluded">
            Excluded
          </Text>
          <List size="sm" aria-labelledby="excluded">
            {plan.leftOut.map((reason) => (
              <List.Item key={reason}>{reason}</List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Stack>
  );
}

function meanError({ considered, ranking, trust: { runs, meanAbsoluteError } }: Schemas["Plan"]): string {
  const seen = `Shows ${ranking.length.toLocaleString("en")} of ${considered.toLocaleString("en")} configurations.`;
  return meanAbsoluteError === null
    ? `${seen} No completed run has tested predictions yet.`
    : `${seen} Over ${runs.toLocaleString("en")} completed runs, predictions have a mean absolute error of ${percent(meanAbsoluteError)}.`;
}

function columns(
  target: number | null,
  chosen: RankingProps["chosen"],
  onChoose: RankingProps["onChoose"],
): readonly Column<RankedEntry>[] {
  return [
    {
      header: "Configuration",
      cell: ({ tie, label, own }) => (
        <>
          {tie}. {label}{" "}
          {own && (
            <Badge size="xs" variant="light" color="gray">
              as submitted
            </Badge>
          )}
        </>
      ),
    },
    ...(target === null
      ? []
      : [
          {
            header: `To ${percent(target)}`,
            cell: ({ secondsToTarget }: Entry) => duration(secondsToTarget),
            numeric: true,
          },
          {
            header: "To the target between",
            cell: (entry: Entry) => range(interval(entry, "secondsToTarget"), duration),
            numeric: true,
          },
          { header: "Epochs", cell: ({ learning }: Entry) => compact(learning?.epochs), numeric: true },
        ]),
    { header: "Epoch", cell: ({ epochSeconds }) => seconds(epochSeconds), numeric: true },
    { header: "Expected between", cell: (entry) => range(interval(entry, "epochSeconds"), seconds), numeric: true },
    { header: "Computing", cell: ({ computeSeconds }) => seconds(computeSeconds), numeric: true },
    { header: "Exchange", cell: ({ exchangeSeconds }) => seconds(exchangeSeconds), numeric: true },
    { header: "Limited by", cell: limit },
    { header: "Bytes", cell: ({ bytes }) => traffic(bytes), numeric: true },
    {
      header: "Choice",
      cell: (entry) => (
        <Button
          size="compact-xs"
          variant={entry.rank === chosen ? "filled" : "default"}
          aria-label={`Choose ${entry.label}`}
          aria-pressed={entry.rank === chosen}
          disabled={onChoose === null}
          onClick={() => onChoose?.(entry)}
        >
          {entry.rank === chosen ? "Chosen" : "Choose"}
        </Button>
      ),
    },
  ];
}

function range(bounds: ReturnType<typeof interval>, text: (seconds: number) => string): string {
  return bounds === null ? NONE : bounds.map(text).join(" to ");
}

function EntryDetails({ entry }: { readonly entry: RankedEntry }): ReactNode {
  const { label, ranks, doubts: caveats, settings, learning, trust: kind } = entry;
  return (
    <Stack gap="xs">
      {learning && (
        <Text size="sm">
          {learning.runs.toLocaleString("en")} earlier runs of {learning.replicas.toLocaleString("en")} replicas reached
          the target, {learning.missed.toLocaleString("en")} missed it.
        </Text>
      )}
      {kind.meanAbsoluteError !== null && (
        <Text size="sm">
          Over {kind.runs.toLocaleString("en")} runs, predictions of this kind have a mean absolute error of{" "}
          {percent(kind.meanAbsoluteError)}.
        </Text>
      )}
      {caveats.length > 0 && (
        <List size="sm" aria-label={`Caveats of ${label}`}>
          {caveats.map((caveat) => (
            <List.Item key={caveat}>{caveat}</List.Item>
          ))}
        </List>
      )}
      {settings.length > 0 && (
        <Group gap="xs">
          {settings.map((setting) => (
            <Text key={setting} ff="monospace" size="xs">
              {setting}
            </Text>
          ))}
        </Group>
      )}
      <DataTable label={`Ranks of ${label}`} columns={PARTS} rows={ranks} rowKey={({ rank }) => rank} />
    </Stack>
  );
}
