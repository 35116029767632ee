import { List, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { ServiceProblem } from "@/api/problem";
import { Notice } from "@/shared/notice";

interface RejectionProps {
  readonly title: string;
  readonly error: Error;
}

/** Shows why the service rejected a request, rule by rule. */
export function Rejection({ title, error }: RejectionProps): ReactNode {
  const violations = error instanceof ServiceProblem ? error.violations : [];
  return (
    <Stack gap="xs" role="presentation">
      <Notice title={title} error={error} />
      {violations.length > 0 && (
        <List size="sm" px="md" aria-label="Broken rules">
          {violations.map(({ pointer, rule }) => (
            <List.Item key={`${pointer} ${rule}`}>
              {pointer} {rule}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
