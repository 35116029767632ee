import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { EChartsOption } from "echarts";
import { useCallback, useMemo, type ReactNode } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run } from "@/api/schemas";
import { Chart } from "@/shared/chart/chart";
import { seriesColor, type Palette } from "@/shared/chart/palette";
import { DataTable } from "@/shared/data-table";
import { NONE, percent } from "@/shared/format";
import { Section } from "@/shared/section";

import { noWorkers } from "./absence";
import { Generations } from "./generations";
import { exchange, partnersOf, places, type Exchange } from "./topology";

interface TopologyTabProps {
  readonly run: Run;
}

/** The ranks with their workers, and their exchange partners. */
export function TopologyTab({ run }: TopologyTabProps): ReactNode {
  const hosts = useHosts();
  const { configuration, replicas } = run;
  const ranks = useMemo(() => [...replicas].sort((a, b) => a.rank - b.rank), [replicas]);
  const found = useMemo(
    () =>
      exchange(
        configuration,
        ranks.length,
        ranks.map(({ worker }) => hosts.get(worker)),
      ),
    [configuration, ranks, hosts],
  );
  if (ranks.length === 0) {
    return <Text c="dimmed">{noWorkers(run)}</Text>;
  }
  const samples = ranks.reduce((sum, { share }) => sum + share, 0);
  return (
    <Stack>
      <Text size="sm">{found.note}</Text>
      {found.edges && found.edges.length > 0 && <Graph ranks={ranks} found={found} />}
      <Section title={`Ranks of generation ${run.generation.toString()}`}>
        <DataTable
          label="Ranks and shares"
          rows={ranks}
          rowKey={({ rank }) => rank}
          columns={[
            { header: "Rank", cell: ({ rank, workerName }) => `${rank.toString()} · ${workerName}` },
            { header: "Host", cell: ({ worker }) => hosts.get(worker) ?? NONE },
            { header: "Backend", cell: ({ backend }) => backend ?? NONE },
            { header: "Samples", cell: ({ share }) => share.toLocaleString("en"), numeric: true },
            { header: "Share", cell: ({ share }) => (samples === 0 ? NONE : percent(share / samples)), numeric: true },
            { header: "Mini-batch", cell: ({ batch }) => [...new Set(batch)].join(" to ") || NONE, numeric: true },
            {
              header: "Exchanges with",
              cell: ({ rank }) => (found.edges ? partnersOf(found.edges, rank).join(", ") || NONE : "unknown"),
            },
          ]}
        />
      </Section>
      <Generations run={run} />
    </Stack>
  );
}

const NO_HOSTS: ReadonlyMap<string, string> = new Map();

/** The hosts of the workers that the service still lists. */
function useHosts(): ReadonlyMap<string, string> {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["hosts"],
    queryFn: async ({ signal }) =>
      new Map(
        (await answer(api.GET("/api/v1/workers", { params: { query: { limit: 500 } }, signal }))).items.map(
          ({ id, host }) => [id, host.name],
        ),
      ),
    staleTime: 60_000,
  });
  return data ?? NO_HOSTS;
}

interface GraphProps {
  readonly ranks: Run["replicas"];
  readonly found: Exchange;
}

function Graph({ ranks, found }: GraphProps): ReactNode {
  const edges = useMemo(() => found.edges ?? [], [found]);
  const option = useCallback((palette: Palette) => graph(ranks, found, palette), [ranks, found]);
  return (
    <Chart
      title="Exchange partners"
      spoken="The table of ranks lists the partners of each rank."
      option={option}
      height={420}
      table={() => [["from", "to", "one_way"], ...edges.map(({ from, to, isOneWay }) => [from, to, isOneWay])]}
    />
  );
}

function graph(ranks: Run["replicas"], found: Exchange, palette: Palette): EChartsOption {
  const at = places(found, ranks.length);
  const samples = Math.max(
    1,
    ranks.reduce((sum, { share }) => sum + share, 0),
  );
  const unseen = { type: "value" as const, show: false, scale: true };
  return {
    tooltip: {},
    grid: { left: 90, right: 90, top: 50, bottom: 60 },
    xAxis: unseen,
    yAxis: { ...unseen, inverse: true },
    series: [
      {
        type: "graph",
        coordinateSystem: "cartesian2d",
        data: ranks.map(({ rank, workerName, share }, index) => ({
          name: rank.toString(),
          value: [at[index]?.x ?? 0, at[index]?.y ?? 0],
          // The area of a node is proportional to its samples.
          symbolSize: 12 + 40 * Math.sqrt(share / samples),
          itemStyle: { color: seriesColor(palette, found.servers.includes(rank) ? 1 : 0) },
          label: {
            show: true,
            position: "bottom",
            lineHeight: 15,
            color: palette.text,
            formatter: `${rank.toString()} · ${workerName}\n${percent(share / samples)}`,
          },
        })),
        links: (found.edges ?? []).map(({ from, to, isOneWay }) => ({
          source: from.toString(),
          target: to.toString(),
          symbol: ["none", isOneWay ? "arrow" : "none"],
        })),
        edgeSymbolSize: 9,
        lineStyle: { color: palette.dimmed, opacity: 0.6 },
      },
    ],
  };
}
