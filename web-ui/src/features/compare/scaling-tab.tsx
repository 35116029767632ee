import { Code, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { factor, percent, seconds } from "@/shared/format";
import { QueryView } from "@/shared/query-view";
import { Section } from "@/shared/section";
import { WhenInView } from "@/shared/when-in-view";

import { TIMES, type Time } from "./compare-search";
import type { WithFigures } from "./compared";
import { Estimated } from "./estimated";
import { scaled, timedPoints, type TimedPoint } from "./scaling";
import { SCALING_HEIGHT, ScalingChart } from "./scaling-chart";
import { EACH, EQUAL } from "./subjects";
import { TargetChoice } from "./target-choice";
import { useComparison } from "./use-compare";
import { useTarget } from "./use-target";
import { useView } from "./use-view";

const TITLES: Record<Time, string> = {
  epoch: "Median epoch time",
  training: "Training time",
  target: "Time to target accuracy",
};

/** Speedup and efficiency over the number of replicas. */
export function ScalingTab({ comparison, isLive }: WithFigures): ReactNode {
  const { view, change } = useView();
  const { time = "epoch", group } = view;
  const line = group === EQUAL || group === EACH ? undefined : group;
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
        <ScaledUntilTarget comparison={comparison} isLive={isLive} line={line} />
      ) : (
        <ScaledTime comparison={comparison} isLive={isLive} line={line} time={time} />
      )}
    </Stack>
  );
}

interface LineProps extends Pick<WithFigures, "comparison" | "isLive"> {
  /** Path of the field that the runs of a line have in common. */
  readonly line: string | undefined;
}

function ScaledTime({ comparison, isLive, line, time }: LineProps & { readonly time: Time }): ReactNode {
  const runs = useMemo(() => comparison.runs.map(({ run }) => run), [comparison]);
  const query = useComparison(runs, undefined, isLive, line);
  return (
    <QueryView query={query} what="times of the runs">
      {({ scaling }) => <Scaled scaling={scaling} time={time} />}
    </QueryView>
  );
}

function ScaledUntilTarget({ comparison, isLive, line }: LineProps): ReactNode {
  const { defaultTarget, query } = useTarget(comparison, isLive, line);
  return (
    <>
      <TargetChoice defaultTarget={defaultTarget} />
      <QueryView query={query} what="figures to the target">
        {({ scaling }) => <Scaled scaling={scaling} time="target" />}
      </QueryView>
    </>
  );
}

interface ScaledProps {
  readonly scaling: readonly Schemas["ScalingPoint"][];
  readonly time: Time;
}

function Scaled({ scaling, time }: ScaledProps): ReactNode {
  const points = useMemo(() => timedPoints(scaling, time), [scaling, time]);
  if (points.length === 0) {
    return <Text c="dimmed">No completed runs have this time yet.</Text>;
  }
  const [replicas, ...others] = new Set(points.map((point) => point.replicas));
  const table = (
    <Section title="Figures">
      <DataTable
        label="Speedup and efficiency"
        columns={COLUMNS}
        rows={points}
        rowKey={({ line, replicas: count }) => `${line} ${count.toString()}`}
      />
    </Section>
  );
  if (replicas !== undefined && others.length === 0) {
    return (
      <>
        <Text>
          {replicas === 1 ? "All runs have 1 replica." : `All runs have ${replicas.toString()} replicas.`} Scaling needs
          runs with more or fewer; vary <Code>workers.replicas</Code>.
        </Text>
        {table}
      </>
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        A line joins runs that differ only in replicas and seed, or that have the chosen field in common. Its speedup is
        relative to its fewest replicas, which are assumed to scale ideally, and paired by seed. Only completed runs
        count.
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <WhenInView height={SCALING_HEIGHT}>
          {() => <ScalingChart title="Speedup" points={points} figure="speedup" />}
        </WhenInView>
        <WhenInView height={SCALING_HEIGHT}>
          {() => <ScalingChart title="Efficiency" points={points} figure="efficiency" />}
        </WhenInView>
      </SimpleGrid>
      {table}
    </>
  );
}

const COLUMNS: readonly Column<TimedPoint>[] = [
  { header: "Line", cell: ({ line }) => line },
  { header: "Replicas", cell: ({ replicas }) => replicas, numeric: true },
  { header: "Seeds", cell: ({ seconds: { count } }) => count, numeric: true },
  { header: "Time", cell: ({ seconds: time }) => <Estimated estimate={time} text={seconds} />, numeric: true },
  {
    header: "Speedup",
    cell: (point) => <Estimated estimate={scaled(point, "speedup")} text={factor} />,
    numeric: true,
  },
  {
    header: "Efficiency",
    cell: (point) => <Estimated estimate={scaled(point, "efficiency")} text={percent} />,
    numeric: true,
  },
];
