import { Button, Group, Stack, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { DialogButton } from "./dialog-button";
import { Notice } from "./notice";

interface ConfirmButtonProps {
  readonly label: string;
  /** One line that says what is done to what, with the words of the label: "Revoke the token notebook". */
  readonly title: string;
  readonly sentence: string;
  readonly isGrave?: boolean;
  readonly change: UseMutationResult<unknown, Error, void>;
}

/** A button that asks for confirmation before a change. */
export function ConfirmButton({ label, title, sentence, isGrave = false, change }: ConfirmButtonProps): ReactNode {
  return (
    <DialogButton label={label} ariaLabel={title} title={title} size="compact-xs" variant="default">
      {(close) => (
        <Stack>
          {change.error && <Notice title="The request was rejected" error={change.error} />}
          <Text size="sm">{sentence}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Back
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
