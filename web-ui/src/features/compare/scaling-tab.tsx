import { NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { factor, percent, seconds } from "@/shared/format";
import { QueryView } from "@/shared/query-view";
import { Section } from "@/shared/section";
import { WhenInView } from "@/shared/when-in-view";

import { TIMES, type Time } from "./compare-search";
import type { WithFigures } from "./compared";
import { measuredOf, scaling, type ScalingPoint } from "./scaling";
import { SCALING_HEIGHT, ScalingChart } from "./scaling-chart";
import type { Subject } from "./subjects";
import { TargetChoice } from "./target-choice";
import { useTarget } from "./use-target";
import { useView } from "./use-view";

const TITLES: Record<Time, string> = {
  epoch: "Median epoch time",
  training: "Training time",
  target: "Time to target accuracy",
};

/** Speedup and efficiency over the number of replicas. */
export function ScalingTab({ comparison, subjects, isLive }: WithFigures): ReactNode {
  const { view, change } = useView();
  const { time = "epoch" } = view;
  return (
    <Stack>
      <NativeSelect
        size="xs"
        w="20rem"
        label="Time"
        value={time}
        data={TIMES.map((value) => ({ value, label: TITLES[value] }))}
        onChange={(event) => {
          const chosen = TIMES.find((each) => each === event.currentTarget.value);
          change({ time: chosen === "epoch" ? undefined : chosen });
        }}
      />
      {time === "target" ? (
        <ScaledUntilTarget comparison={comparison} subjects={subjects} isLive={isLive} />
      ) : (
        <Scaled runs={comparison.runs} subjects={subjects} time={time} />
      )}
    </Stack>
  );
}

function ScaledUntilTarget({ comparison, subjects, isLive }: Omit<WithFigures, "groups">): ReactNode {
  const { defaultTarget, query } = useTarget(comparison, isLive);
  return (
    <>
      <TargetChoice defaultTarget={defaultTarget} />
      <QueryView query={query} what="figures to the target">
        {(figures) => <Scaled runs={figures.runs} subjects={subjects} time="target" />}
      </QueryView>
    </>
  );
}

interface ScaledProps {
  readonly runs: readonly Schemas["ComparedRun"][];
  readonly subjects: readonly Subject[];
  readonly time: Time;
}

function Scaled({ runs, subjects, time }: ScaledProps): ReactNode {
  const { view } = useView();
  const points = useMemo(
    () => scaling(measuredOf(runs, subjects, time, view.group)),
    [runs, subjects, time, view.group],
  );
  if (points.length === 0) {
    return <Text c="dimmed">No run has this time yet.</Text>;
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        A line joins runs that differ only in replicas and seed, or that have the chosen field in common. Its speedup is
        relative to its fewest replicas, which are assumed to scale ideally.
        {new Set(points.map(({ replicas }) => replicas)).size === 1 &&
          " These runs all have the same number of replicas; add some with more or fewer."}
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <WhenInView height={SCALING_HEIGHT}>
          {() => <ScalingChart title="Speedup" points={points} figure="speedup" />}
        </WhenInView>
        <WhenInView height={SCALING_HEIGHT}>
          {() => <ScalingChart title="Efficiency" points={points} figure="efficiency" />}
        </WhenInView>
      </SimpleGrid>
      <Section title="Figures">
        <DataTable
          label="Speedup and efficiency"
          columns={COLUMNS}
          rows={points}
          rowKey={({ line, replicas }) => `${line} ${replicas.toString()}`}
        />
      </Section>
    </>
  );
}

const COLUMNS: readonly Column<ScalingPoint>[] = [
  { header: "Line", cell: ({ line }) => line },
  { header: "Replicas", cell: ({ replicas }) => replicas, numeric: true },
  { header: "Runs", cell: ({ seconds: { count } }) => count, numeric: true },
  { header: "Time", cell: ({ seconds: { mean } }) => seconds(mean), numeric: true },
  { header: "Speedup", cell: ({ speedup }) => factor(speedup.mean), numeric: true },
  { header: "Efficiency", cell: ({ efficiency }) => percent(efficiency), numeric: true },
];
