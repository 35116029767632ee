import { ActionIcon, Group } from "@mantine/core";
import type { ReactNode } from "react";

import { ZOOM_STEPS, type ZoomStep } from "./window";

const LABELS: Record<ZoomStep, string> = {
  closer: "Zoom in",
  farther: "Zoom out",
  earlier: "Earlier",
  later: "Later",
  all: "Show all",
};

const STROKES: Record<ZoomStep, string> = {
  closer: "M8 3v10M3 8h10",
  farther: "M3 8h10",
  earlier: "M13 8H3m4-4L3 8l4 4",
  later: "M3 8h10M9 4l4 4-4 4",
  all: "M1.5 8h13M4.5 5l-3 3 3 3M11.5 5l3 3-3 3",
};

interface ZoomButtonsProps {
  /** Name of the chart. */
  readonly of: string;
  readonly onZoom: (step: ZoomStep) => void;
}

/** Buttons that zoom a chart, as dragging does. */
export function ZoomButtons({ of, onZoom }: ZoomButtonsProps): ReactNode {
  return (
    <Group gap={2} role="group" aria-label={`Zoom “${of}”`} wrap="nowrap">
      {ZOOM_STEPS.map((step) => (
        <ActionIcon
          key={step}
          size="sm"
          variant="subtle"
          color="gray"
          title={LABELS[step]}
          aria-label={LABELS[step]}
          onClick={() => {
            onZoom(step);
          }}
        >
          <svg
            viewBox="0 0 16 16"
            width={14}
            height={14}
            aria-hidden
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
          >
            <path d={STROKES[step]} />
          </svg>
        </ActionIcon>
      ))}
    </Group>
  );
}
