import { Group, Switch } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Caller, Token } from "@/api/schemas";
import { ConfirmButton } from "@/shared/confirm-button";
import { DataTable, type Column } from "@/shared/data-table";
import { ago, moment, capitalized } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Section } from "@/shared/section";
import { useProjects } from "@/shared/use-projects";
import { useUsers } from "@/shared/use-users";

import { NewToken } from "./new-token";
import { expiry, shownTokens } from "./tokens";
import { useRevocation, useTokens } from "./use-account";

interface TokenListProps {
  readonly caller: Caller;
}

export function TokenList({ caller }: TokenListProps): ReactNode {
  const areAll = useSearch({ from: "/account", select: ({ tokens }) => tokens === "all" }) && caller.administrator;
  const navigate = useNavigate({ from: "/account" });
  const tokens = useTokens();
  const shown = tokens.data && shownTokens(tokens.data, caller.account, areAll);
  const columns = useColumns(areAll);
  return (
    <Section title="Tokens" count={shown?.length}>
      <Group px="md" pb="sm" gap="md">
        <NewToken caller={caller} />
        {caller.administrator && (
          <Switch
            size="xs"
            label="Show the tokens of all users"
            checked={areAll}
            onChange={(event) => {
              const chosen = event.currentTarget.checked ? "all" : undefined;
              void navigate({ search: (before) => ({ ...before, tokens: chosen }), replace: true });
            }}
          />
        )}
      </Group>
      <Listing
        query={{ ...tokens, data: shown } as typeof tokens}
        what="tokens"
        empty="There are no tokens yet. Make one for each program that acts on your behalf."
      >
        {(items, asOf) => <DataTable label="Tokens" rows={items} rowKey={({ id }) => id} columns={columns(asOf)} />}
      </Listing>
    </Section>
  );
}

function useColumns(areAll: boolean): (asOf: number) => Column<Token>[] {
  const projects = useProjects();
  const users = useUsers();
  const projectName = (id: string): string => projects.data?.find((project) => project.id === id)?.name ?? id;
  const userName = (id: string): string => users.data?.find((user) => user.id === id)?.name ?? id;
  return (asOf) => [
    { header: "Name", cell: ({ name }) => name },
    ...(areAll
      ? [{ header: "User", cell: ({ user }: Token) => (user === null ? "none: service account" : userName(user)) }]
      : []),
    { header: "Project", cell: ({ project }) => (project === null ? "All projects" : projectName(project)) },
    { header: "Maximum role", cell: ({ role }) => capitalized(role) },
    { header: "Created", cell: ({ createdAt }) => moment(createdAt) },
    { header: "Last used", cell: ({ usedAt }) => (usedAt === null ? "never" : ago(usedAt, asOf)) },
    { header: "Expires", cell: ({ expiresAt }) => expiry(expiresAt, asOf) },
    { header: "Actions", cell: (token) => <Revoke token={token} /> },
  ];
}

function Revoke({ token }: { readonly token: Token }): ReactNode {
  return (
    <ConfirmButton
      label="Revoke"
      title={`Revoke the token ${token.name}`}
      sentence="The service rejects this token from now on. A revoked token cannot be restored."
      isGrave
      change={useRevocation(token.id)}
    />
  );
}
