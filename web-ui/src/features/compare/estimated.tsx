import { Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { NONE } from "@/shared/format";

interface EstimatedProps {
  readonly estimate: Schemas["MeanEstimate"] | null | undefined;
  readonly text: (value: number) => string;
}

/** Shows a mean over seeds, and below it what the service says of its spread. */
export function Estimated({ estimate, text }: EstimatedProps): ReactNode {
  if (estimate === null || estimate === undefined) {
    return NONE;
  }
  const spread = spreadText(estimate, text);
  return (
    <>
      {text(estimate.mean)}
      {spread !== undefined && (
        <Text size="xs" c="dimmed">
          {spread}
        </Text>
      )}
    </>
  );
}

/** The interval, or the values of two or three seeds; undefined for a single one. */
export function spreadText(
  { count, low, high, interval, points }: Schemas["MeanEstimate"],
  text: (value: number) => string,
): string | undefined {
  if (low === null || high === null) {
    return undefined;
  }
  const between = `${text(low)} to ${text(high)}`;
  if (interval === "confidence") {
    return between;
  }
  return points.length > 0
    ? `${count.toString()} seeds: ${points.map(text).join(", ")}`
    : `${count.toString()} seeds: ${between}`;
}
