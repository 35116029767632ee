import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { QueryView } from "@/shared/query-view";
import { WhenInView } from "@/shared/when-in-view";

import type { WithFigures } from "./compared";
import { LogAxes } from "./curves-tab";
import { FiguresTables } from "./figures-tables";
import type { Wanted } from "./pareto";
import { TargetChoice } from "./target-choice";
import { TRADE_OFF_HEIGHT, TradeOffChart } from "./trade-off-chart";
import { tradesOf, type Figures } from "./trades";
import { useTarget } from "./use-target";

/** What accuracy costs in time and bytes, and which runs no other beats. */
export function TradeOffsTab({ comparison, ...compared }: WithFigures): ReactNode {
  const { target, usual, query } = useTarget(comparison, compared.isLive);
  return (
    <Stack>
      <Group align="flex-end">
        <TargetChoice usual={usual} />
        <LogAxes />
      </Group>
      <Text size="sm" c="dimmed">
        No other run is better in both figures than one on the Pareto front; these are drawn large, and joined.
      </Text>
      <QueryView query={query} what="figures until the target">
        {(figures) => <Charts {...compared} comparison={figures} target={target} />}
      </QueryView>
    </Stack>
  );
}

interface Axis {
  readonly figure: keyof Figures;
  readonly label: string;
  readonly wanted: Wanted;
}

interface Shown {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly empty: string;
}

const ACCURACY: Axis = { figure: "finalAccuracy", label: "final test accuracy", wanted: "most" };
const NEVER_LOOKED = "The accuracy of these runs was never looked at.";

function shownOf(target: number | undefined): readonly Shown[] {
  const until =
    target === undefined ? "the target" : `${(100 * target).toLocaleString("en", { maximumFractionDigits: 2 })} %`;
  return [
    {
      title: `Time until ${until} against bytes`,
      x: { figure: "bytesToTarget", label: `bytes sent until ${until}`, wanted: "least" },
      y: { figure: "secondsToTarget", label: `seconds until ${until}`, wanted: "least" },
      empty: target === undefined ? NEVER_LOOKED : `No run reaches ${until}. A lower target may be reached.`,
    },
    {
      title: "Accuracy against bytes",
      x: { figure: "bytesSent", label: "bytes sent", wanted: "least" },
      y: ACCURACY,
      empty: NEVER_LOOKED,
    },
    {
      title: "Accuracy against time",
      x: { figure: "trainingSeconds", label: "seconds of training", wanted: "least" },
      y: ACCURACY,
      empty: NEVER_LOOKED,
    },
  ];
}

interface ChartsProps extends WithFigures {
  readonly target: number | undefined;
}

function Charts({ comparison, target, ...compared }: ChartsProps): ReactNode {
  const shown = useMemo(() => shownOf(target), [target]);
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
