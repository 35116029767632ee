import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Caller, Role } from "@/api/schemas";
import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { ShownOnce } from "@/shared/shown-once";
import { useProjects } from "@/shared/use-projects";
import { violationAt } from "@/shared/violations";

import { NEW_TOKEN, boundText, tokenRequest, type TokenForm as Form } from "./token-request";
import { useNewToken } from "./use-account";

const BOUNDS: readonly Role[] = ["administrator", "owner", "editor", "viewer"];

interface NewTokenProps {
  readonly caller: Caller;
}

export function NewToken({ caller }: NewTokenProps): ReactNode {
  return (
    <DialogButton label="Make a token" title="New token">
      {(close) => <TokenForm caller={caller} onClose={close} />}
    </DialogButton>
  );
}

function TokenForm({ caller, onClose }: NewTokenProps & { readonly onClose: () => void }): ReactNode {
  const [form, setForm] = useState<Form>(NEW_TOKEN);
  const { data: projects = [] } = useProjects();
  const creation = useNewToken();
  const change = (changed: Partial<Form>): void => {
    setForm((before) => ({ ...before, ...changed }));
  };
  if (creation.data?.token != null) {
    return <ShownOnce token={creation.data.token} onClose={onClose} />;
  }
  return (
    <FormBody
      action="Make"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={() => {
        creation.mutate(tokenRequest(form));
      }}
    >
      <TextInput
        label="Name"
        description="Where or for what the token is used"
        required
        data-autofocus
        value={form.name}
        error={violationAt(creation.error, "/name")}
        onChange={(event) => {
          change({ name: event.currentTarget.value });
        }}
      />
      <NativeSelect
        label="Project"
        data={[{ value: "", label: "All projects" }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
        value={form.project}
        error={violationAt(creation.error, "/project")}
        onChange={(event) => {
          change({ project: event.currentTarget.value });
        }}
      />
      <NativeSelect
        label="Role"
        data={BOUNDS.map((role) => ({ value: role, label: boundText(role) }))}
        value={form.role}
        error={violationAt(creation.error, "/role")}
        onChange={(event) => {
          change({ role: event.currentTarget.value as Role });
        }}
      />
      <TextInput
        type="datetime-local"
        label="Expires"
        description="Leave empty for a token that never expires"
        value={form.expires}
        error={violationAt(creation.error, "/expiresAt")}
        onChange={(event) => {
          change({ expires: event.currentTarget.value });
        }}
      />
      {caller.administrator && caller.account !== null && (
        <Checkbox
          label="Service account token: belongs to no user, and stays when its creator is deleted"
          checked={form.standsAlone}
          onChange={(event) => {
            change({ standsAlone: event.currentTarget.checked });
          }}
        />
      )}
    </FormBody>
  );
}
