import { NativeSelect, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";

import type { Schemas, Worker } from "@/api/schemas";
import { LineChart } from "@/shared/chart/line-chart";
import { seriesColor, usePalette } from "@/shared/chart/palette";
import { QueryView } from "@/shared/query-view";
import { Section } from "@/shared/section";

import classes from "./history.module.css";
import { historyLine, segments, SPAN_LOOKS, stateShares } from "./history";
import { STATE_COLORS } from "./states";
import { useHistory } from "./use-workers";
import { SPANS, type Span } from "./workers-search";

const GIB = 2 ** 30;

/** Load, memory and states of a worker over time. */
export function WorkerHistory({ worker }: { readonly worker: Worker }): ReactNode {
  const { history: span = "day" } = useSearch({ from: "/workers/$worker" });
  const navigate = useNavigate({ from: "/workers/$worker" });
  const { seconds, buckets } = SPAN_LOOKS[span];
  const query = useHistory(worker.id, seconds, buckets);
  return (
    <Section
      title="History"
      actions={
        <NativeSelect
          size="xs"
          aria-label="Length of the history"
          data={SPANS.map((value) => ({ value, label: SPAN_LOOKS[value].label }))}
          value={span}
          onChange={(event) => {
            const chosen = event.currentTarget.value as Span;
            void navigate({
              search: (before) => ({ ...before, history: chosen === "day" ? undefined : chosen }),
              replace: true,
            });
          }}
        />
      }
    >
      <QueryView query={query} what="history of the worker">
        {(history) => (
          <Stack gap="sm" px="md" pb="md">
            <States history={history} />
            <HistoryChart
              title="Load"
              yLabel="threads that run or are ready"
              history={history}
              points={history.load}
              scale={1}
              span={span}
            />
            <HistoryChart
              title="Used memory"
              yLabel="GiB"
              history={history}
              points={history.memory}
              scale={GIB}
              span={span}
            />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function States({ history }: { readonly history: Schemas["WorkerHistory"] }): ReactNode {
  const strip = segments(history);
  const shares = stateShares(strip);
  return (
    <div>
      <div className={classes.strip} role="img" aria-label={`States: ${shares}`}>
        {strip.map(({ key, state, name, left, width }) => (
          <div
            key={key}
            className={classes.segment}
            title={name}
            style={{
              left: `${left.toString()}%`,
              width: `${width.toString()}%`,
              background: `var(--mantine-color-${STATE_COLORS[state]}-6)`,
            }}
          />
        ))}
      </div>
      <Text size="sm">{shares}</Text>
    </div>
  );
}

interface HistoryChartProps {
  readonly title: string;
  readonly yLabel: string;
  readonly history: Schemas["WorkerHistory"];
  readonly points: readonly Schemas["HistoryPoint"][];
  /** By which values are divided. */
  readonly scale: number;
  readonly span: Span;
}

function HistoryChart({ title, yLabel, history: { to }, points, scale, span }: HistoryChartProps): ReactNode {
  const palette = usePalette();
  const look = SPAN_LOOKS[span];
  const series = useMemo(
    () => [
      {
        key: title,
        label: title,
        color: seriesColor(palette, 0),
        hasGaps: true,
        ...historyLine(points, to, look, scale),
      },
    ],
    [title, palette, points, to, look, scale],
  );
  return points.length === 0 ? (
    <Text size="sm" c="dimmed">
      {title}: the worker has reported none in this time.
    </Text>
  ) : (
    <LineChart
      title={title}
      series={series}
      xLabel={`${look.unit} from now`}
      yLabel={yLabel}
      height={180}
      linked="history"
    />
  );
}
