import { Box, NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { ConfirmButton } from "@/shared/confirm-button";
import { DataTable } from "@/shared/data-table";
import { DialogButton } from "@/shared/dialog-button";
import { moment, capitalized } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Notice } from "@/shared/notice";
import { Section } from "@/shared/section";

import { MEMBER_ROLES, type MemberRole } from "./member-roles";
import { NewMember } from "./new-member";
import { useMembers, useMembership, useRemoval } from "./use-lab";

type Member = Schemas["Member"];

interface MembersProps {
  readonly project: string;
  readonly isOwner: boolean;
}

/** The members of a project, with their roles. */
export function Members({ project, isOwner }: MembersProps): ReactNode {
  const members = useMembers(project);
  const change = useMembership(project);
  return (
    <Section title="Members" count={members.data?.length}>
      {isOwner && (
        <Box px="md" pb="sm">
          <DialogButton label="Add a member" title="New member">
            {(close) => <NewMember project={project} members={members.data ?? []} onDone={close} />}
          </DialogButton>
        </Box>
      )}
      {change.error && <Notice title="The request was rejected" error={change.error} />}
      <Listing
        query={members}
        what="members"
        empty="This project has no members yet. Administrators can always see it."
      >
        {(items) => (
          <DataTable
            label="Members"
            rows={items}
            rowKey={({ user }) => user}
            columns={[
              { header: "Name", cell: ({ name }) => name },
              {
                header: "Role",
                cell: ({ user, name, role }) =>
                  isOwner ? (
                    <NativeSelect
                      size="xs"
                      aria-label={`Role of ${name}`}
                      data={roleChoices()}
                      value={role}
                      disabled={change.isPending}
                      onChange={(event) => {
                        change.mutate({ user, role: event.currentTarget.value as MemberRole });
                      }}
                    />
                  ) : (
                    capitalized(role)
                  ),
              },
              { header: "Since", cell: ({ since }) => moment(since) },
              ...(isOwner
                ? [{ header: "Actions", cell: (member: Member) => <Remove project={project} member={member} /> }]
                : []),
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}

function roleChoices(): { value: MemberRole; label: string }[] {
  return MEMBER_ROLES.map((role) => ({ value: role, label: capitalized(role) }));
}

function Remove({ project, member }: { readonly project: string; readonly member: Member }): ReactNode {
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove ${member.name}`}
      sentence="The user can no longer see the project. Everything in the project stays."
      isGrave
      change={useRemoval(project, member.user)}
    />
  );
}
