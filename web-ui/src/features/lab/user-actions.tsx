import { Group, PasswordInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { User } from "@/api/schemas";
import { ConfirmButton } from "@/shared/confirm-button";
import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { violationAt } from "@/shared/violations";

import { useAmendment, useDeletion, useFixedAmendment } from "./use-lab";

interface UserProps {
  readonly user: User;
}

/** Actions of an administrator on a user; the service protects the last administrator. */
export function UserActions({ user }: UserProps): ReactNode {
  const { id, name, disabled, administrator } = user;
  const disabling = useFixedAmendment(id, { disabled: !disabled });
  const raising = useFixedAmendment(id, { administrator: !administrator });
  const deletion = useDeletion(id);
  return (
    <Group gap={4}>
      {disabled ? (
        <ConfirmButton
          label="Enable"
          title={`Enable ${name}`}
          sentence="The user may sign in again."
          change={disabling}
        />
      ) : (
        <ConfirmButton
          label="Disable"
          title={`Disable ${name}`}
          sentence="The user loses access at once, with all tokens and sessions."
          isGrave
          change={disabling}
        />
      )}
      {administrator ? (
        <ConfirmButton
          label="Revoke administrator"
          title={`Revoke administrator: ${name}`}
          sentence="The user keeps its memberships and their roles."
          change={raising}
        />
      ) : (
        <ConfirmButton
          label="Make administrator"
          title={`Make administrator: ${name}`}
          sentence="An administrator may do everything in every project, and to every user and worker."
          change={raising}
        />
      )}
      {!user.foreign && <ResetPassword user={user} />}
      <ConfirmButton
        label="Delete"
        title={`Delete ${name}`}
        sentence="Deletes the user with all its tokens. Everything that the user created stays."
        isGrave
        change={deletion}
      />
    </Group>
  );
}

function ResetPassword({ user }: UserProps): ReactNode {
  const title = `Reset password of ${user.name}`;
  return (
    <DialogButton label="Reset password" ariaLabel={title} title={title} size="compact-xs" variant="default">
      {(close) => <ResetForm user={user} onDone={close} />}
    </DialogButton>
  );
}

function ResetForm({ user, onDone }: UserProps & { readonly onDone: () => void }): ReactNode {
  const [password, setPassword] = useState("");
  const change = useAmendment(user.id);
  return (
    <FormBody
      action="Reset"
      error={change.error}
      isPending={change.isPending}
      onSubmit={() => {
        change.mutate({ password }, { onSuccess: onDone });
      }}
    >
      <PasswordInput
        label="New password"
        required
        autoComplete="new-password"
        data-autofocus
        value={password}
        error={violationAt(change.error, "/password")}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
        }}
      />
    </FormBody>
  );
}
