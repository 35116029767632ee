import { Button, Group, Modal, MultiSelect, NativeSelect, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState, type ReactNode } from "react";

import type { Worker } from "@/api/schemas";
import { DataTable } from "@/shared/data-table";
import { NONE, ago, compact, moment, percent } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { Listing } from "@/shared/listing";
import { Notice } from "@/shared/notice";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { useRights } from "@/shared/rights";
import { Section } from "@/shared/section";
import { StateBadge } from "@/shared/state-badge";

import { LinkMatrix } from "./link-matrix";
import { figureOf, pairs, type Pair } from "./links";
import { MEASUREMENT_COLORS } from "./states";
import { useCancelMeasurement, useNewMeasurement } from "./use-changes";
import { isUnderWay, useLinks, useMeasurements, useWorkers } from "./use-workers";
import type { LinksSearch } from "./workers-search";

/** Latency and bandwidth of the links between workers. */
export function LinksPage(): ReactNode {
  const workers = useWorkers();
  return (
    <Stack gap="md">
      <Group gap="sm">
        <PageTitle>Links</PageTitle>
        <AnchorLink to="/workers" size="sm">
          All workers
        </AnchorLink>
      </Group>
      <QueryView query={workers} what="workers">
        {(all) => (
          <>
            <Links workers={all.filter(({ state }) => state !== "LEFT" && state !== "LOST")} />
            <Measurements workers={all} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}

interface WorkersProps {
  readonly workers: readonly Worker[];
}

function Links({ workers }: WorkersProps): ReactNode {
  const view = useSearch({ from: "/workers/links" });
  const navigate = useNavigate({ from: "/workers/links" });
  const { isAdministrator } = useRights();
  const links = useLinks();
  const shown = useMemo(
    () => workers.filter(({ id }) => view.worker?.includes(id) ?? true).sort((a, b) => a.name.localeCompare(b.name)),
    [workers, view.worker],
  );
  const change = (changed: Partial<LinksSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          size="xs"
          label="Figure"
          data={[
            { value: "latency", label: "Latency" },
            { value: "bandwidth", label: "Bandwidth" },
          ]}
          value={view.figure ?? "latency"}
          onChange={(event) => {
            change({ figure: event.currentTarget.value === "bandwidth" ? "bandwidth" : undefined });
          }}
        />
        <MultiSelect
          size="xs"
          label="Between"
          placeholder={view.worker ? "" : "All workers"}
          data={workers.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...(view.worker ?? [])]}
          onChange={(chosen) => {
            change({ worker: chosen.length === 0 ? undefined : chosen });
          }}
          clearable
        />
        {isAdministrator && shown.length > 1 && <Measure workers={shown} />}
      </Group>
      <QueryView query={links} what="links">
        {(found, asOf) =>
          shown.length < 2 ? (
            <Text c="dimmed">Links need at least two chosen workers that are present.</Text>
          ) : (
            <Pairs workers={shown} all={pairs(shown, found)} asOf={asOf} view={view} />
          )
        }
      </QueryView>
    </>
  );
}

interface PairsProps extends WorkersProps {
  readonly all: readonly Pair[];
  readonly asOf: number;
  readonly view: LinksSearch;
}

function Pairs({ workers, all, asOf, view }: PairsProps): ReactNode {
  const missing = all.filter(({ link }) => link === null).length;
  return (
    <>
      <Text size="sm" c="dimmed">
        {missing === 0
          ? "All pairs were measured."
          : `${missing.toString()} of ${all.length.toString()} pairs were never measured.`}
      </Text>
      <LinkMatrix workers={workers} all={all} figure={view.figure ?? "latency"} />
      <Section title="Pairs" count={all.length}>
        <DataTable
          label="Pairs"
          rows={all}
          rowKey={({ key }) => key}
          columns={[
            { header: "Between", cell: ({ one, other }) => `${one.name} and ${other.name}` },
            {
              header: "Latency, µs",
              cell: ({ link }) => (link ? compact(figureOf(link, "latency")) : "not measured"),
              numeric: true,
            },
            {
              header: "Bandwidth, MB/s",
              cell: ({ link }) => (link ? compact(figureOf(link, "bandwidth")) : NONE),
              numeric: true,
            },
            { header: "Error", cell: ({ link }) => percent(link?.relativeError), numeric: true },
            {
              header: "Age",
              cell: ({ link }) =>
                link && (
                  <time dateTime={link.measuredAt} title={moment(link.measuredAt)}>
                    {ago(link.measuredAt, asOf)}
                  </time>
                ),
            },
          ]}
        />
      </Section>
    </>
  );
}

function Measure({ workers }: WorkersProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const mutation = useNewMeasurement();
  const close = (): void => {
    setOpen(false);
    mutation.reset();
  };
  return (
    <>
      <Button
        size="xs"
        onClick={() => {
          setOpen(true);
        }}
      >
        Measure these links
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Measure the links between ${workers.length.toString()} workers`}>
        <Stack>
          <Text size="sm">
            These workers get no new work until they have measured together:{" "}
            {workers.map(({ name }) => name).join(", ")}. Their current work continues.
          </Text>
          {mutation.error && <Notice title="The request was rejected" error={mutation.error} />}
          <Group justify="flex-end">
            <Button
              loading={mutation.isPending}
              data-autofocus
              onClick={() => {
                mutation.mutate(
                  workers.map(({ id }) => id),
                  { onSuccess: close },
                );
              }}
            >
              Measure
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Measurements({ workers }: WorkersProps): ReactNode {
  const query = useMeasurements();
  const cancel = useCancelMeasurement();
  const { isAdministrator } = useRights();
  const nameOf = (id: string): string => workers.find((worker) => worker.id === id)?.name ?? id;
  return (
    <Section title="Newest measurements">
      {cancel.error && <Notice title="The request was rejected" error={cancel.error} />}
      <Listing
        query={query}
        what="measurements"
        empty="No links were measured yet. Runs request the links that they need; administrators can request more."
      >
        {(measurements, asOf) => (
          <DataTable
            label="Measurements"
            rows={measurements}
            rowKey={({ id }) => id}
            note={({ failure }) => failure}
            columns={[
              { header: "Workers", cell: (each) => each.workers.map(nameOf).join(", ") },
              { header: "State", cell: ({ state }) => <StateBadge state={state} color={MEASUREMENT_COLORS[state]} /> },
              { header: "Requested", cell: ({ requestedAt }) => ago(requestedAt, asOf) },
              { header: "Finished", cell: ({ finishedAt }) => ago(finishedAt, asOf) },
              {
                header: "Actions",
                cell: ({ id, state }) =>
                  isAdministrator &&
                  isUnderWay(state) && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => {
                        cancel.mutate(id);
                      }}
                    >
                      Cancel
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}
