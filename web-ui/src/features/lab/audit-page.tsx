import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { PageTitle } from "@/shared/page-title";
import { useProjectScope } from "@/shared/project-scope";
import { useRights } from "@/shared/rights";

import { AuditTable } from "./audit-table";

/** Changes in the lab, or in the chosen project. */
export function AuditPage(): ReactNode {
  const project = useProjectScope();
  const { isAdministrator, has } = useRights();
  const isAllowed = project === undefined ? isAdministrator : has("owner", project);
  return (
    <Stack gap="md">
      <PageTitle>Audit</PageTitle>
      {isAllowed ? (
        <AuditTable project={project} />
      ) : (
        <Text c="dimmed">Owners see the audit of their projects. Choose a project that you own above.</Text>
      )}
    </Stack>
  );
}
