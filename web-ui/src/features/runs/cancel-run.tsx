import { Button, Group, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { Notice } from "@/shared/notice";

import { useCancelRun } from "./use-runs";

interface CancelRunProps {
  readonly run: string;
}

/** Cancels a run, after asking once more. */
export function CancelRun({ run }: CancelRunProps): ReactNode {
  const [asked, setAsked] = useState(false);
  const cancel = useCancelRun(run);

  if (!asked) {
    return (
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setAsked(true);
        }}
      >
        Cancel run
      </Button>
    );
  }
  return (
    <Stack gap="xs">
      {cancel.error && <Notice title="The run could not be cancelled" error={cancel.error} />}
      <Group gap="xs">
        <Text size="sm">Stop this run for good?</Text>
        <Button
          size="xs"
          color="red"
          loading={cancel.isPending}
          onClick={() => {
            cancel.mutate();
          }}
        >
          Yes, cancel it
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            cancel.reset();
            setAsked(false);
          }}
        >
          Keep it
        </Button>
      </Group>
    </Stack>
  );
}
