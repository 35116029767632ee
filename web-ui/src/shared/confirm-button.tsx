import { Button, Group, Stack, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { DialogButton } from "./dialog-button";
import { Notice } from "./notice";

interface ConfirmButtonProps {
  readonly label: string;
  /** Says in one line what is done to what, in the words of the label: "Revoke the token notebook". */
  readonly title: string;
  readonly sentence: string;
  readonly isGrave?: boolean;
  readonly change: UseMutationResult<unknown, Error, void>;
}

/** Asks once more before something is changed. */
export function ConfirmButton({ label, title, sentence, isGrave = false, change }: ConfirmButtonProps): ReactNode {
  return (
    <DialogButton label={label} ariaLabel={title} title={title} size="compact-xs" variant="default">
      {(close) => (
        <Stack>
          {change.error && <Notice title="That was refused" error={change.error} />}
          <Text size="sm">{sentence}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Leave as it is
            </Button>
            <Button
              color={isGrave ? "red" : undefined}
              loading={change.isPending}
              data-autofocus
              onClick={() => {
                change.mutate(undefined, { onSuccess: close });
              }}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      )}
    </DialogButton>
  );
}
