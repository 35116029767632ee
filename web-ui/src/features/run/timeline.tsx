import { Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CustomSeriesOption, CustomSeriesRenderItem, EChartsOption } from "echarts";
import { useCallback, useMemo, useState, type ReactNode } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run } from "@/api/schemas";
import { Chart } from "@/shared/chart/chart";
import { PHASES, type Palette } from "@/shared/chart/palette";
import { zoomed, type Window } from "@/shared/chart/window";
import { ZoomButtons } from "@/shared/chart/zoom-buttons";
import { seconds } from "@/shared/format";
import { QueryView } from "@/shared/query-view";
import { isFinal } from "@/shared/run/run-states";
import { Section } from "@/shared/section";

import { noFigures } from "./absence";
import { drawn, lanes, marks, type EpochStart, type Lanes } from "./trace";

/** The most slices of a lane in view, as many as a wide screen can show. */
const PARTS = 1_200;
/** The most marks of epochs in view, so that their labels do not overlap. */
const MARKS = 12;
/** Narrower slices have no label, in pixels. */
const LABELED_WIDTH = 60;
const MICROS = 1e6;
/** Polling period, in milliseconds, of data that is sent whole each time. */
const SLOW = 15_000;

interface TimelineProps {
  readonly run: Run;
}

/** Timeline of each rank, for runs whose definition requests a trace. */
export function Timeline({ run }: TimelineProps): ReactNode {
  const api = useApi();
  const isTraced = run.configuration.trace;
  const query = useQuery({
    queryKey: ["trace", run.id, isFinal(run.state)],
    enabled: isTraced && run.epochs.length > 0,
    queryFn: async ({ signal }) =>
      lanes(await answer(api.GET("/api/v1/runs/{id}/trace", { params: { path: { id: run.id } }, signal }))),
    staleTime: Infinity,
    refetchInterval: isFinal(run.state) ? false : SLOW,
    // A trace is as long as the run and is not shared between pages.
    gcTime: SLOW,
    placeholderData: (before, query) => (query?.queryKey[1] === run.id ? before : undefined),
  });
  if (!isTraced || run.epochs.length === 0) {
    return (
      <Section title="Timeline">
        <Text size="sm" c="dimmed" px="md" pb="md">
          {!isTraced
            ? "No timeline was recorded: the definition does not set trace: true."
            : isFinal(run.state)
              ? noFigures(run)
              : "The timeline appears after the first epoch."}
        </Text>
      </Section>
    );
  }
  return (
    <QueryView query={query} what="slices of the timeline">
      {(found) => <Zoomed lanes={found} />}
    </QueryView>
  );
}

function Zoomed({ lanes: { names, epochs, slices, dropped } }: { readonly lanes: Lanes }): ReactNode {
  const end = useMemo(() => slices.reduce((latest, { ended }) => Math.max(latest, ended), 0), [slices]);
  // Shows the whole trace, including new slices, until the user zooms.
  const [view, setView] = useState<Window | null>(null);
  const [from, to] = view ?? [0, end];
  const shown = useMemo(() => drawn(slices, from, to, (to - from) / PARTS), [slices, from, to]);
  const begun = useMemo(() => marks(epochs, from, to, MARKS), [epochs, from, to]);
  const option = useCallback(
    (palette: Palette) => timeline(names, shown, begun, from, to, palette),
    [names, shown, begun, from, to],
  );

  return (
    <Section title="Timeline">
      <Group gap="xs" px="md" pb="xs">
        <ZoomButtons
          of="Timeline of the ranks"
          onZoom={(step) => {
            setView(step === "all" ? null : zoomed([from, to], [0, end], step));
          }}
        />
        <Text size="xs" c="dimmed">
          {seconds(from / MICROS)} to {seconds(to / MICROS)} of {seconds(end / MICROS)}
          {dropped > 0 && `; ${dropped.toLocaleString("en")} slices were dropped`}
        </Text>
      </Group>
      <Box px="md" pb="md">
        <Chart
          title="Timeline of the ranks"
          spoken={`${names.length.toString()} threads over ${seconds(end / MICROS)}`}
          option={option}
          height={110 + 34 * names.length}
          table={() => [
            ["thread", "phase", "begun_seconds", "ended_seconds"],
            ...slices.map(({ lane, phase, begun, ended }) => [names[lane], phase, begun / MICROS, ended / MICROS]),
          ]}
        />
      </Box>
    </Section>
  );
}

function timeline(
  names: readonly string[],
  slices: ReturnType<typeof drawn>,
  epochs: readonly EpochStart[],
  from: number,
  to: number,
  palette: Palette,
): EChartsOption {
  const bar: CustomSeriesRenderItem = ({ seriesName }, api) => {
    const begun = api.coord([Math.max(from / MICROS, api.value(1) as number), api.value(0)]);
    const ended = api.coord([Math.min(to / MICROS, api.value(2) as number), api.value(0)]);
    const height = 20;
    const left = begun[0] ?? 0;
    const width = Math.max(1, (ended[0] ?? 0) - left);
    return {
      type: "rect",
      shape: { x: left, y: (begun[1] ?? 0) - height / 2, width, height },
      style: { fill: api.visual("color") as string },
      // Without a fill, the text takes a color that contrasts with the slice.
      ...(width > LABELED_WIDTH && {
        textConfig: { position: "inside" },
        textContent: { type: "text", style: { text: seriesName ?? "", fontSize: 11 } },
      }),
    };
  };
  return {
    grid: { left: 8, right: 16, top: 46, bottom: 28, containLabel: true },
    legend: { top: 0, data: [...PHASES], textStyle: { color: palette.text } },
    tooltip: {
      formatter: (hovered) => {
        const { seriesName, value } = hovered as unknown as { seriesName: string; value: number[] };
        return `${seriesName}: ${seconds((value[2] ?? 0) - (value[1] ?? 0))} from ${seconds(value[1])}`;
      },
    },
    xAxis: {
      type: "value",
      min: from / MICROS,
      max: to / MICROS,
      name: "seconds since the first slice",
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: palette.dimmed },
      axisLabel: { color: palette.dimmed, formatter: (at: number) => seconds(at) },
      splitLine: { lineStyle: { color: palette.grid } },
    },
    yAxis: { type: "category", inverse: true, data: [...names], axisLabel: { color: palette.text } },
    series: [
      ...PHASES.map((phase): CustomSeriesOption => ({
        type: "custom",
        name: phase,
        color: palette.phases[phase],
        encode: { x: [1, 2], y: 0 },
        renderItem: bar,
        data: slices
          .filter((slice) => slice.phase === phase)
          .map(({ lane, begun, ended }) => [lane, begun / MICROS, ended / MICROS]),
      })),
      // A series of its own, so that the marks stay when the legend hides a phase.
      {
        type: "line",
        data: [],
        markLine: {
          symbol: "none",
          silent: true,
          lineStyle: { type: "dashed", color: palette.dimmed },
          label: { position: "start", color: palette.dimmed, formatter: ({ name }) => name },
          data: epochs.map(({ epoch, begun }) => ({ name: `epoch ${epoch.toString()}`, xAxis: begun / MICROS })),
        },
      },
    ],
  };
}
