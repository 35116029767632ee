import { RangeSlider, SimpleGrid, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { compact } from "@/shared/format";

import type { Intervals } from "./compare-search";
import { extentOf, type Parallel, type ParallelAxis } from "./parallel";

/** Number of slider steps along an axis of numbers. */
const STEPS = 100;

interface AxisRangesProps {
  readonly parallel: Parallel;
  readonly only: Intervals;
  readonly onNarrow: (axis: string, interval: readonly [number, number] | undefined) => void;
}

/** Narrows each axis by its ends, as dragging along it does. */
export function AxisRanges({ parallel, only, onNarrow }: AxisRangesProps): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="xl">
      {parallel.axes.map((axis) => {
        const extent = extentOf(parallel, axis);
        return (
          extent !== undefined &&
          extent[0] < extent[1] && (
            <AxisRange key={axis.name} axis={axis} extent={extent} interval={only[axis.name]} onNarrow={onNarrow} />
          )
        );
      })}
    </SimpleGrid>
  );
}

interface AxisRangeProps {
  readonly axis: ParallelAxis;
  readonly extent: readonly [number, number];
  readonly interval: readonly [number, number] | undefined;
  readonly onNarrow: AxisRangesProps["onNarrow"];
}

function AxisRange({ axis: { name, values }, extent: [low, high], interval, onNarrow }: AxisRangeProps): ReactNode {
  const [dragged, setDragged] = useState<[number, number] | null>(null);
  const value = dragged ?? [Math.max(low, interval?.[0] ?? low), Math.min(high, interval?.[1] ?? high)];
  const step = values === undefined ? (high - low) / STEPS : 1;
  const text = (at: number): string => values?.[Math.round(at)] ?? compact(at);
  return (
    <div>
      <Text size="xs" truncate title={name}>
        {name}
        <Text span size="xs" c="dimmed">
          {" "}
          {text(value[0])} to {text(value[1])}
        </Text>
      </Text>
      <RangeSlider
        size="sm"
        my={8}
        min={low}
        max={high}
        step={step}
        minRange={0}
        label={text}
        thumbFromLabel={`${name} from`}
        thumbToLabel={`${name} to`}
        value={[value[0], value[1]]}
        onChange={setDragged}
        onChangeEnd={(ends) => {
          // The last step rarely equals the end exactly.
          const [from, to] = [ends[0] - low < step / 2 ? low : ends[0], high - ends[1] < step / 2 ? high : ends[1]];
          setDragged(null);
          onNarrow(name, from === low && to === high ? undefined : [from, to]);
        }}
      />
    </div>
  );
}
