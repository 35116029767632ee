import { NumberInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import type { ReactNode } from "react";

import { useView } from "./use-view";

const PAUSE = 400;

interface TargetChoiceProps {
  readonly defaultTarget: number | undefined;
}

/** Chooses the target accuracy of time and bytes to accuracy. */
export function TargetChoice({ defaultTarget }: TargetChoiceProps): ReactNode {
  const { view, change } = useView();
  const later = useDebouncedCallback((percent: number | string) => {
    change({ target: typeof percent === "number" ? percent / 100 : undefined });
  }, PAUSE);
  return (
    <NumberInput
      size="xs"
      w="12rem"
      label="Target accuracy, %"
      min={0}
      max={100}
      step={1}
      decimalScale={2}
      placeholder={
        defaultTarget === undefined ? undefined : `${(100 * defaultTarget).toFixed(0)}, which all runs reach`
      }
      defaultValue={view.target === undefined ? undefined : Number((100 * view.target).toFixed(2))}
      onChange={later}
    />
  );
}
