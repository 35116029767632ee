import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { DataTable } from "@/shared/data-table";
import { ago, moment } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { PageTitle } from "@/shared/page-title";
import { useRights } from "@/shared/rights";
import { Section } from "@/shared/section";
import { useUsers } from "@/shared/use-users";

import { NewUser } from "./new-user";
import { UserActions } from "./user-actions";

/** The users of the lab. */
export function UsersPage(): ReactNode {
  const { isAdministrator } = useRights();
  return (
    <Stack gap="md">
      <Group gap="sm">
        <PageTitle>Users</PageTitle>
        {isAdministrator && <NewUser />}
      </Group>
      {isAdministrator ? <Users /> : <Text c="dimmed">Only administrators see the users of the lab.</Text>}
    </Stack>
  );
}

function Users(): ReactNode {
  const users = useUsers();
  return (
    <Section title="Users" count={users.data?.length}>
      <Listing query={users} what="users" empty="There are no users yet. Make one for each person.">
        {(items, asOf) => (
          <DataTable
            label="Users"
            rows={items}
            rowKey={({ id }) => id}
            columns={[
              { header: "Name", cell: ({ name }) => name },
              { header: "State", cell: ({ disabled }) => (disabled ? "Disabled" : "Enabled") },
              { header: "Administrator", cell: ({ administrator }) => (administrator ? "Yes" : "No") },
              { header: "Signs in", cell: ({ foreign }) => (foreign ? "At the identity provider" : "With a password") },
              { header: "Created", cell: ({ createdAt }) => moment(createdAt) },
              {
                header: "Last signed in",
                cell: ({ signedInAt }) => (signedInAt === null ? "never" : ago(signedInAt, asOf)),
              },
              { header: "Actions", cell: (user) => <UserActions user={user} /> },
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}
