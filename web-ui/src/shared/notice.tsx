import { Alert, Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface NoticeProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** Reports a failure and its reason, and offers a retry. */
export function Notice({ title, error, onRetry }: NoticeProps): ReactNode {
  return (
    <Alert color="red" variant="light" title={title}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{error.message}</Text>
        {onRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
