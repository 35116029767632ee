import { Box, Code, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import type { Caller } from "@/api/schemas";
import { Facts } from "@/shared/facts";
import { capitalized } from "@/shared/format";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { useCaller } from "@/shared/rights";
import { Section } from "@/shared/section";

import { PasswordForm } from "./password-form";
import { TokenList } from "./token-list";

/** The caller's identity, tokens and password. */
export function AccountPage(): ReactNode {
  return (
    <Stack gap="md">
      <PageTitle>Account</PageTitle>
      <QueryView query={useCaller()} what="rights of the caller">
        {(caller) => (
          <>
            <Identity caller={caller} />
            <TokenList caller={caller} />
            {caller.account !== null && <PasswordForm />}
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function Identity({ caller: { name, account, everywhere, projects } }: { readonly caller: Caller }): ReactNode {
  return (
    <Section title="Identity">
      <Box px="md" pb="md">
        <Facts
          of={[
            ["Name", name],
            ["User", account === null ? "none: this is a service account token" : <Code>{account}</Code>],
            [
              "Role",
              everywhere === null
                ? `in ${counted(Object.keys(projects).length)}`
                : `${capitalized(everywhere)} in all projects`,
            ],
          ]}
        />
      </Box>
    </Section>
  );
}

function counted(projects: number): string {
  return projects === 1 ? "1 project" : `${projects.toString()} projects`;
}
