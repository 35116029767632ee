import { Group, Stack } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Project } from "@/api/schemas";
import { DialogButton } from "@/shared/dialog-button";
import { AnchorLink } from "@/shared/links";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { useRights } from "@/shared/rights";

import { AuditTable } from "./audit-table";
import { Members } from "./members";
import { NameForm } from "./name-form";
import { Usage } from "./usage";
import { useProject, useRenaming } from "./use-lab";
import { Webhooks } from "./webhooks";

/** A project: its members, its usage, its webhooks, its audit. */
export function ProjectPage(): ReactNode {
  const id = useParams({ from: "/lab/projects/$project", select: ({ project }) => project });
  return (
    <QueryView query={useProject(id)} what="properties of the project">
      {(project) => <Known key={project.id} project={project} />}
    </QueryView>
  );
}

function Known({ project }: { readonly project: Project }): ReactNode {
  const { has } = useRights();
  const isOwner = has("owner", project.id);
  const renaming = useRenaming(project.id);
  return (
    <Stack gap="md">
      <Group gap="sm">
        <PageTitle>{project.name}</PageTitle>
        <AnchorLink to="/lab/projects" size="sm">
          All projects
        </AnchorLink>
        {isOwner && (
          <DialogButton label="Rename" title={`Rename ${project.name}`} variant="default">
            {(close) => <NameForm name={project.name} action="Rename" change={renaming} onDone={close} />}
          </DialogButton>
        )}
      </Group>
      <Members project={project.id} isOwner={isOwner} />
      <Usage project={project} />
      {isOwner && <Webhooks project={project.id} />}
      {isOwner && <AuditTable project={project.id} />}
    </Stack>
  );
}
