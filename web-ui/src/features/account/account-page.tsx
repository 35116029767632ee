import { Box, Code, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import type { Caller } from "@/api/schemas";
import { Facts } from "@/shared/facts";
import { capitalised } from "@/shared/format";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { useCaller } from "@/shared/rights";
import { Section } from "@/shared/section";

import { PasswordForm } from "./password-form";
import { TokenList } from "./token-list";

/** Who one is, and by what one is known. */
export function AccountPage(): ReactNode {
  return (
    <Stack gap="md">
      <PageTitle>Account</PageTitle>
      <QueryView query={useCaller()} what="rights of the caller">
        {(caller) => (
          <>
            <Who caller={caller} />
            <TokenList caller={caller} />
            {caller.account !== null && <PasswordForm />}
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function Who({ caller: { name, account, everywhere, projects } }: { readonly caller: Caller }): ReactNode {
  return (
    <Section title="Who you are">
      <Box px="md" pb="md">
        <Facts
          of={[
            ["Name", name],
            ["User", account === null ? "none: the token stands alone" : <Code>{account}</Code>],
            [
              "Role",
              everywhere === null
                ? `in ${counted(Object.keys(projects).length)}`
                : `${capitalised(everywhere)} in all projects`,
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
