import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { Notice } from "./notice";

interface FormBodyProps {
  readonly action: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** What all forms have in common: why the service refused, and the button that sends. */
export function FormBody({ action, error, isPending, onSubmit, children }: FormBodyProps): ReactNode {
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error && <Notice title="That was refused" error={error} />}
      <Group justify="flex-end">
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
