import { NativeSelect, Select, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { capitalized } from "@/shared/format";
import { FormBody } from "@/shared/form-body";
import { Notice } from "@/shared/notice";
import { useRights } from "@/shared/rights";
import { useUsers } from "@/shared/use-users";
import { violationAt } from "@/shared/violations";

import { MEMBER_ROLES, type MemberRole } from "./member-roles";
import { useMembership } from "./use-lab";

interface NewMemberProps {
  readonly project: string;
  readonly members: readonly Schemas["Member"][];
  readonly onDone: () => void;
}

/** Administrators choose among the users. Owners may not list users, so the new member tells them the identifier. */
export function NewMember({ project, members, onDone }: NewMemberProps): ReactNode {
  const [user, setUser] = useState("");
  const [role, setRole] = useState<MemberRole>("editor");
  const { isAdministrator } = useRights();
  const users = useUsers();
  const change = useMembership(project);
  const newcomers = (users.data ?? []).filter(({ id }) => !members.some((member) => member.user === id));
  return (
    <FormBody
      action="Add"
      error={change.error}
      isPending={change.isPending}
      onSubmit={() => {
        change.mutate({ user: user.trim(), role }, { onSuccess: onDone });
      }}
    >
      {users.error && <Notice title="The users could not be read" error={users.error} />}
      {isAdministrator ? (
        <Select
          label="User"
          required
          searchable
          nothingFoundMessage="No other user matches"
          data={newcomers.map(({ id, name }) => ({ value: id, label: name }))}
          value={user || null}
          data-autofocus
          onChange={(chosen) => {
            setUser(chosen ?? "");
          }}
        />
      ) : (
        <TextInput
          label="User"
          description="Identifier that the account page of the new member shows as User"
          required
          // The service knows users only by such identifiers.
          pattern="\s*[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\s*"
          value={user}
          data-autofocus
          onChange={(event) => {
            setUser(event.currentTarget.value);
          }}
        />
      )}
      <NativeSelect
        label="Role"
        data={MEMBER_ROLES.map((each) => ({ value: each, label: capitalized(each) }))}
        value={role}
        error={violationAt(change.error, "/role")}
        onChange={(event) => {
          setRole(event.currentTarget.value as MemberRole);
        }}
      />
    </FormBody>
  );
}
