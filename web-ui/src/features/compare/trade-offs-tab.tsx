import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { QueryView } from "@/shared/query-view";
import { WhenInView } from "@/shared/when-in-view";

import type { WithFigures } from "./compared";
import { LogAxes } from "./curves-tab";
import { FiguresTables } from "./figures-tables";
import { TargetChoice } from "./target-choice";
import { TRADE_OFF_HEIGHT, TradeOffChart, type TradeOffAxis } from "./trade-off-chart";
import { tradesOf } from "./trades";
import { useTarget } from "./use-target";

/** Accuracy against time and bytes, with the Pareto fronts. */
export function TradeOffsTab({ comparison, ...compared }: WithFigures): ReactNode {
  const { target, defaultTarget, query } = useTarget(comparison, compared.isLive);
  return (
    <Stack>
      <Group align="flex-end">
        <TargetChoice defaultTarget={defaultTarget} />
        <LogAxes />
      </Group>
      <Text size="sm" c="dimmed">
        No run beats a run on the Pareto front in both figures. The runs on the front are drawn large, and joined. These
        are single runs: the order of the seed groups below tells which differences their seeds support.
      </Text>
      <QueryView query={query} what="figures to the target">
        {(figures) => <Charts {...compared} comparison={figures} target={target} />}
      </QueryView>
    </Stack>
  );
}

interface Shown {
  readonly title: string;
  readonly x: TradeOffAxis;
  readonly y: TradeOffAxis;
  readonly empty: string;
}

/** The accuracy that the definition compares. */
const ACCURACY: Readonly<Record<Schemas["Comparison"]["compared"], TradeOffAxis>> = {
  mean: { figure: "finalAccuracy", label: "final test accuracy", wanted: "most" },
  replicas: { figure: "replicaAccuracy", label: "final test accuracy of the replicas", wanted: "most" },
};
const NEVER_EVALUATED = "These runs were never evaluated.";

function shownOf(target: number | undefined, accuracy: TradeOffAxis): readonly Shown[] {
  const goal =
    target === undefined ? "the target" : `${(100 * target).toLocaleString("en", { maximumFractionDigits: 2 })} %`;
  return [
    {
      title: `Time against bytes to ${goal}`,
      x: { figure: "bytesToTarget", label: `bytes to ${goal}`, wanted: "least" },
      y: { figure: "secondsToTarget", label: `seconds to ${goal}`, wanted: "least" },
      empty: target === undefined ? NEVER_EVALUATED : `No run reaches ${goal}. Try a lower target.`,
    },
    {
      title: "Accuracy against bytes",
      x: { figure: "bytesSent", label: "bytes sent", wanted: "least" },
      y: accuracy,
      empty: NEVER_EVALUATED,
    },
    {
      title: "Accuracy against time",
      x: { figure: "trainingSeconds", label: "training seconds", wanted: "least" },
      y: accuracy,
      empty: NEVER_EVALUATED,
    },
  ];
}

interface ChartsProps extends WithFigures {
  readonly target: number | undefined;
}

function Charts({ comparison, target, ...compared }: ChartsProps): ReactNode {
  const shown = useMemo(() => shownOf(target, ACCURACY[comparison.compared]), [target, comparison.compared]);
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {shown.map((each) => (
          <WhenInView key={each.x.figure} height={TRADE_OFF_HEIGHT}>
            {() => <Between {...compared} {...each} runs={comparison.runs} />}
          </WhenInView>
        ))}
      </SimpleGrid>
      <FiguresTables comparison={comparison} subjects={compared.subjects} />
    </>
  );
}

type BetweenProps = Shown &
  Pick<WithFigures, "subjects" | "groups"> & { readonly runs: readonly Schemas["ComparedRun"][] };

function Between({ runs, subjects, groups, title, x, y, empty }: BetweenProps): ReactNode {
  const trades = useMemo(
    () => tradesOf(runs, subjects, groups, x.figure, y.figure),
    [runs, subjects, groups, x.figure, y.figure],
  );
  return <TradeOffChart title={title} trades={trades} groups={groups} x={x} y={y} empty={empty} />;
}
