import { NativeSelect, Progress, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Schemas, Worker } from "@/api/schemas";
import { DataTable } from "@/shared/data-table";
import { NONE, ago, compact, moment } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { QueryView } from "@/shared/query-view";
import { useRights } from "@/shared/rights";

import { NewProfile } from "./profile-form";
import { useSpeeds, useWorkers } from "./use-workers";

type Speed = Schemas["WorkerSpeed"];

/** The speeds of the workers in training steps of one network, slowest last. */
export function Speeds(): ReactNode {
  const { network } = useSearch({ from: "/workers" });
  const navigate = useNavigate({ from: "/workers" });
  const query = useSpeeds(network);
  return (
    <QueryView query={query} what="speeds of the workers">
      {(speeds, asOf) => (
        <Stack gap="sm">
          {speeds.networks.length === 0 ? (
            <Text c="dimmed" size="sm">
              No worker has a profile yet. Runs measure those that they need; administrators can request more.
            </Text>
          ) : (
            <NativeSelect
              size="xs"
              label="Network"
              maw="20rem"
              data={[...new Set([...(network === undefined ? [] : [network]), ...speeds.networks])]}
              value={network ?? speeds.network ?? ""}
              onChange={(event) => {
                const chosen = event.currentTarget.value;
                void navigate({ search: (before) => ({ ...before, network: chosen }), replace: true });
              }}
            />
          )}
          {query.isPlaceholderData ? (
            <Text c="dimmed" size="sm" role="status">
              Loading the speeds…
            </Text>
          ) : (
            <SpeedTable items={speeds.items} asOf={asOf} />
          )}
        </Stack>
      )}
    </QueryView>
  );
}

interface SpeedTableProps {
  readonly items: readonly Speed[];
  readonly asOf: number;
}

function SpeedTable({ items, asOf }: SpeedTableProps): ReactNode {
  const { isAdministrator } = useRights();
  const workers = useWorkers();
  const fastest = Math.max(...items.map(({ measured }) => measured?.samplesPerSecond ?? 0));
  return (
    <DataTable
      label="Speeds"
      rows={items}
      rowKey={({ worker }) => worker}
      note={({ measured }) =>
        measured === null || measured.stale.length === 0
          ? null
          : `Stale: ${measured.stale.join("; ")}. Measure it again.`
      }
      columns={[
        {
          header: "Worker",
          cell: ({ worker, name }) => (
            <AnchorLink to="/workers/$worker" params={{ worker }} size="sm">
              {name}
            </AnchorLink>
          ),
        },
        {
          header: "Samples per second",
          cell: ({ measured }) =>
            measured === null
              ? "no profile"
              : `${compact(measured.samplesPerSecond)} (${compact(measured.low)} to ${compact(measured.high)})`,
          numeric: true,
        },
        {
          header: "Of the fastest",
          cell: ({ measured }) =>
            measured && <Progress aria-hidden miw="6rem" value={(100 * measured.samplesPerSecond) / fastest} />,
        },
        { header: "Mini-batch", cell: ({ measured }) => measured?.batch ?? NONE, numeric: true },
        {
          header: "Host load",
          cell: ({ measured }) => (measured ? `${measured.hostLoad.toString()} %` : NONE),
          numeric: true,
        },
        {
          header: "Measured",
          cell: ({ measured }) =>
            measured && (
              <time dateTime={measured.measuredAt} title={moment(measured.measuredAt)}>
                {ago(measured.measuredAt, asOf)}
              </time>
            ),
        },
        {
          header: "Actions",
          cell: ({ worker, measured }) => (
            <Missing worker={isAdministrator && measured === null ? byId(workers.data, worker) : undefined} />
          ),
        },
      ]}
    />
  );
}

function byId(workers: readonly Worker[] | undefined, id: string): Worker | undefined {
  return workers?.find((worker) => worker.id === id);
}

/** Offers to measure a worker that has no profile. */
function Missing({ worker }: { readonly worker: Worker | undefined }): ReactNode {
  return worker && <NewProfile worker={worker} />;
}
