import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { compact } from "@/shared/format";

import { ExportMenu } from "./export-menu";
import classes from "./line-chart.module.css";
import { tableOf, type Axes, type Series } from "./series";

interface SinglePointsProps extends Axes {
  readonly title: string;
  readonly series: readonly Series[];
}

/** Whether a line has two points, or no line has any, so that there is a chart to draw. */
export function hasLine(series: readonly Series[]): boolean {
  const counts = series.map(({ y }) => y.filter((value) => value !== null).length);
  return counts.every((count) => count === 0) || counts.some((count) => count > 1);
}

/** Shows lines of one point each as numbers, each with its position. */
export function SinglePoints({ title, series, ...axes }: SinglePointsProps): ReactNode {
  const own = series.filter(({ rawOf }) => rawOf === undefined);
  return (
    <figure className={classes.figure} aria-label={title}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        <ExportMenu name={title} table={() => tableOf(own, axes)} />
      </figcaption>
      <Stack gap="xs" py="sm">
        {own.map(({ key, label, color, x, y }) => {
          const at = y.findIndex((value) => value !== null);
          return (
            at >= 0 && (
              <Group key={key} gap="sm" align="baseline">
                <Text size="xl" fw={600}>
                  {compact(y[at])}
                </Text>
                <Text size="sm">
                  <svg viewBox="0 0 14 4" width={14} height={4} aria-hidden>
                    <path d="M0 2h14" stroke={color} strokeWidth={3} />
                  </svg>{" "}
                  {label}
                </Text>
                <Text size="sm" c="dimmed">
                  {axes.yLabel}, at {axes.xLabel} {compact(x[at])}
                </Text>
              </Group>
            )
          );
        })}
      </Stack>
    </figure>
  );
}
