import {
  Group,
  Loader,
  MultiSelect,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Slider,
  Stack,
  Switch,
  Text,
} from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import { Notice } from "@/shared/notice";
import { axisTitle } from "@/shared/run/axis-titles";
import { metricTitle } from "@/shared/run/metric-titles";
import { WhenInView } from "@/shared/when-in-view";

import { STRONGEST, X_AXES } from "./compare-search";
import type { Compared } from "./compared";
import { CURVE_HEIGHT, CurveChart } from "./curve-chart";
import { metricNames, ranksOf } from "./curve-requests";
import { useMetrics } from "./use-compare";
import { useView } from "./use-view";

/** The metrics that are drawn by default. */
const DEFAULT_METRICS = ["train/loss", "test/accuracy", "test/loss"];

/** Draws the chosen metrics, each of all runs over one axis. */
export function CurvesTab({ subjects, groups, isLive }: Compared): ReactNode {
  const { view, change } = useView();
  const runs = useMemo(() => subjects.map(({ id }) => id), [subjects]);
  const lists = useMetrics(runs, isLive);
  const metrics = useMemo(
    () => new Map(lists.data.flatMap((list) => list?.items ?? []).map(({ run, metrics }) => [run, metrics])),
    [lists.data],
  );
  const { all, ofRanks } = useMemo(() => metricNames(metrics), [metrics]);
  const chosen = (view.metrics ?? DEFAULT_METRICS).filter((name) => all.includes(name));
  const failure = lists.errors.find((error) => error !== null);
  return (
    <Stack>
      <Group align="flex-end" gap="md">
        <MultiSelect
          size="xs"
          label="Metrics"
          miw="14rem"
          searchable
          clearable
          data={all.map((value) => ({ value, label: metricTitle(value) }))}
          value={chosen}
          onChange={(names) => {
            change({ metrics: names.length === 0 ? undefined : names });
          }}
        />
        <SegmentedControl
          size="xs"
          aria-label="Axis"
          value={view.x ?? "step"}
          data={X_AXES.map((value) => ({ value, label: axisTitle(value) }))}
          onChange={(x) => {
            change({ x });
          }}
        />
        {chosen.some((name) => ofRanks.has(name)) && (
          <NativeSelect
            size="xs"
            label="Ranks"
            value={view.rank?.toString() ?? ""}
            data={[
              { value: "", label: "Mean of all ranks" },
              ...ranksOf(metrics).map((rank) => ({ value: rank.toString(), label: `Rank ${rank.toString()}` })),
            ]}
            onChange={(event) => {
              const rank = event.currentTarget.value;
              change({ rank: rank === "" ? undefined : Number(rank) });
            }}
          />
        )}
        <Smoothing />
        <LogAxes />
      </Group>
      {groups.some((group) => group.runs.length > 1) && (
        <Text size="sm" c="dimmed">
          A line is the mean of its group up to the end of its shortest run; the band reaches from the least to the
          greatest run.
        </Text>
      )}
      {failure && <Notice title="Some metrics could not be read" error={failure} />}
      {lists.isPending ? (
        <Loader role="status" aria-label="Reading the list of metrics" />
      ) : chosen.length === 0 ? (
        <Text c="dimmed">
          {all.length > 0
            ? "Choose a metric above to see its curves."
            : isLive
              ? "These runs have no metrics yet."
              : "Nothing was measured."}
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {chosen.map((name) => (
            <WhenInView key={name} height={CURVE_HEIGHT}>
              {(width) => <CurveChart name={name} metrics={metrics} groups={groups} width={width} isLive={isLive} />}
            </WhenInView>
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

function Smoothing(): ReactNode {
  const { view, change } = useView();
  return (
    <div>
      <Text size="xs" fw={500}>
        Smoothing
      </Text>
      <Slider
        w="9rem"
        my={8}
        size="sm"
        thumbLabel="Smoothing"
        min={0}
        max={STRONGEST}
        step={0.01}
        defaultValue={view.smooth ?? 0}
        onChangeEnd={(smooth) => {
          change({ smooth: smooth === 0 ? undefined : smooth });
        }}
      />
    </div>
  );
}

/** Chooses logarithmic axes. */
export function LogAxes(): ReactNode {
  const { view, change } = useView();
  return (
    <Group gap="sm" mih={30}>
      <Switch
        size="xs"
        label="Log x"
        checked={view.logX ?? false}
        onChange={(event) => {
          change({ logX: event.currentTarget.checked || undefined });
        }}
      />
      <Switch
        size="xs"
        label="Log y"
        checked={view.logY ?? false}
        onChange={(event) => {
          change({ logY: event.currentTarget.checked || undefined });
        }}
      />
    </Group>
  );
}
