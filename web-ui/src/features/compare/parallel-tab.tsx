import { Group, MultiSelect, Stack, Text } from "@mantine/core";
import type { EChartsOption } from "echarts";
import { useCallback, useMemo, type ReactNode } from "react";

import { Chart } from "@/shared/chart/chart";
import { seriesColor, type Palette } from "@/shared/chart/palette";
import { WhenInView } from "@/shared/when-in-view";

import { endsOf } from "./axes";
import { AxisRanges } from "./axis-ranges";
import type { Intervals } from "./compare-search";
import type { WithFigures } from "./compared";
import { axesOf, defaultAxes, numbersAlong, parallelOf, through, withOutcome, type Parallel } from "./parallel";
import type { RunGroup, Subject } from "./subjects";
import { useTarget } from "./use-target";
import { useView } from "./use-view";

const HEIGHT = 460;

/** Beyond this number of runs, lines are thinner, so that the pattern shows. */
const MANY = 20;

/** Opacity of a line outside of the chosen ranges. */
const FAINT = 0.06;

/** Distance of the lower names from their axes, in pixels. */
const NAME_GAP = 14;

const EVERYWHERE: Intervals = {};

/** Parallel coordinates: each run is a line over its settings and outcomes. */
export function ParallelTab({ comparison, subjects, differences, groups, isLive }: WithFigures): ReactNode {
  const { view, change } = useView();
  const { query } = useTarget(comparison, isLive);
  const { runs, compared } = query.data ?? comparison;
  const drawn = useMemo(() => withOutcome(subjects, runs), [subjects, runs]);
  const missing = subjects.length - drawn.length;
  const offered = useMemo(() => axesOf(drawn, runs), [drawn, runs]);
  const names = view.axes ?? defaultAxes(offered, differences, compared);
  const parallel = useMemo(() => parallelOf(drawn, runs, names), [drawn, runs, names]);
  const only = view.only ?? EVERYWHERE;
  const seen = useMemo(() => through(parallel, only), [parallel, only]);
  const narrow = useCallback(
    (axis: string, interval: readonly [number, number] | undefined) => {
      const others = Object.entries(only).filter(([name]) => name !== axis);
      const next = interval === undefined ? others : [...others, [axis, interval] as const];
      change({ only: next.length === 0 ? undefined : Object.fromEntries(next) });
    },
    [only, change],
  );
  return (
    <Stack>
      <Group align="flex-end">
        <MultiSelect
          size="xs"
          label="Axes, from left to right"
          miw="20rem"
          searchable
          clearable
          data={[
            { group: "Settings that differ", items: [...offered.settings] },
            { group: "Outcomes", items: [...offered.outcomes] },
          ]}
          value={parallel.axes.map(({ name }) => name)}
          onChange={(axes) => {
            change({ axes: axes.length === 0 ? undefined : axes });
          }}
        />
      </Group>
      <Text size="sm" c="dimmed">
        Drag along an axis, or move the ends of its slider below, to fade the runs outside of that range: {seen.size} of{" "}
        {parallel.rows.length} remain.
        {missing > 0 && ` ${leftOut(missing)}`}
      </Text>
      {parallel.axes.length < 2 ? (
        <Text c="dimmed">Choose at least two axes. Only settings that differ between the runs are offered.</Text>
      ) : (
        <>
          <WhenInView height={HEIGHT}>
            {() => (
              <ParallelChart parallel={parallel} seen={seen} subjects={subjects} groups={groups} onBrush={narrow} />
            )}
          </WhenInView>
          <AxisRanges parallel={parallel} only={only} onNarrow={narrow} />
        </>
      )}
    </Stack>
  );
}

function leftOut(runs: number): string {
  return runs === 1
    ? "1 run has no result yet and is left out."
    : `${runs.toString()} runs have no result yet and are left out.`;
}

/** The ends of an axis of numbers. */
function numberEnds(palette: Palette, name: string, values: readonly number[]): object {
  const { axisLabel, ...ends } = endsOf(name, values);
  return { ...ends, axisLabel: { color: palette.dimmed, ...axisLabel } };
}

interface ParallelChartProps {
  readonly parallel: Parallel;
  readonly seen: ReadonlySet<string>;
  readonly subjects: readonly Subject[];
  readonly groups: readonly RunGroup[];
  readonly onBrush: (axis: string, interval: readonly [number, number] | undefined) => void;
}

function ParallelChart({ parallel, seen, subjects, groups, onBrush }: ParallelChartProps): ReactNode {
  const { axes, rows } = parallel;
  const nameOf = useCallback((run: string) => subjects.find(({ id }) => id === run)?.name ?? run, [subjects]);
  const option = useCallback(
    (palette: Palette): EChartsOption => ({
      legend: { type: "scroll", top: 0, textStyle: { color: palette.text } },
      parallel: { left: 60, right: 90, top: 90, bottom: 30 },
      parallelAxis: axes.map((axis, dim) => {
        const { name, values } = axis;
        return {
          dim,
          id: name,
          realtime: false,
          // The last names suffice, and long ones would overlap.
          name: name.split(".").slice(-2).join("."),
          // In two rows, so that neighbors do not overlap.
          nameGap: dim % 2 === 0 ? NAME_GAP : 2.5 * NAME_GAP,
          nameTextStyle: { color: palette.text },
          axisLine: { lineStyle: { color: palette.dimmed } },
          ...(values === undefined
            ? numberEnds(palette, name, numbersAlong(parallel, axis))
            : { type: "category", data: [...values], axisLabel: { color: palette.dimmed } }),
        };
      }),
      series: groups.flatMap(({ label, runs }, index) => {
        const own = rows.filter(({ run }) => runs.includes(run));
        const color = seriesColor(palette, index);
        return own.length === 0
          ? []
          : {
              type: "parallel" as const,
              name: label,
              color,
              lineStyle: { width: rows.length > MANY ? 1 : 2, color },
              data: own.map(({ run, places }) => ({
                name: nameOf(run),
                value: places.map((place) => place ?? "-"),
                lineStyle: { opacity: seen.has(run) ? 0.8 : FAINT, color },
              })),
            };
      }),
    }),
    [parallel, axes, rows, seen, nameOf, groups],
  );
  return (
    <Chart
      title="Settings and outcomes"
      spoken={`${rows.length.toString()} runs over ${axes.map(({ name }) => name).join(", ")}`}
      option={option}
      onBrush={onBrush}
      height={HEIGHT}
      table={() => [
        ["run", ...axes.map(({ name }) => name)],
        ...rows.map(({ run, places }) => [nameOf(run), ...places]),
      ]}
    />
  );
}
