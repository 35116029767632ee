import { TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { UseMutationResult } from "@tanstack/react-query";

import { FormBody } from "@/shared/form-body";
import { violationAt } from "@/shared/violations";

interface NameFormProps {
  readonly name: string;
  readonly action: string;
  readonly change: UseMutationResult<unknown, Error, string>;
  readonly onDone: () => void;
}

/** Names a project. */
export function NameForm({ name: given, action, change, onDone }: NameFormProps): ReactNode {
  const [name, setName] = useState(given);
  return (
    <FormBody
      action={action}
      error={change.error}
      isPending={change.isPending}
      onSubmit={() => {
        change.mutate(name.trim(), { onSuccess: onDone });
      }}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        error={violationAt(change.error, "/name")}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
    </FormBody>
  );
}
