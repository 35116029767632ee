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

/** The common parts of all forms: the reason of a rejection, and the submit button. */
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
      {error && <Notice title="The request was rejected" error={error} />}
      <Group justify="flex-end">
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
