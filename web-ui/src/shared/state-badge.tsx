import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

import { sentenceCase } from "./format";

interface StateBadgeProps {
  readonly state: string;
  readonly color: string;
}

export function StateBadge({ state, color }: StateBadgeProps): ReactNode {
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" fw={600} miw="max-content">
      {sentenceCase(state)}
    </Badge>
  );
}
