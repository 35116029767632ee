import { Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { DataTable } from "@/shared/data-table";
import { DialogButton } from "@/shared/dialog-button";
import { moment, capitalized } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { Listing } from "@/shared/listing";
import { PageTitle } from "@/shared/page-title";
import { useRights } from "@/shared/rights";
import { Section } from "@/shared/section";
import { useProjects } from "@/shared/use-projects";

import { NameForm } from "./name-form";
import { useNewProject } from "./use-lab";

/** The projects that the caller may see. */
export function ProjectsPage(): ReactNode {
  const projects = useProjects();
  const { isAdministrator } = useRights();
  const creation = useNewProject();
  return (
    <Stack gap="md">
      <Group gap="sm">
        <PageTitle>Projects</PageTitle>
        {isAdministrator && (
          <DialogButton label="Make a project" title="New project">
            {(close) => <NameForm name="" action="Make" change={creation} onDone={close} />}
          </DialogButton>
        )}
      </Group>
      <Section title="Visible projects" count={projects.data?.length}>
        <Listing
          query={projects}
          what="projects"
          empty={
            isAdministrator
              ? "There are no projects yet. Make one."
              : "You are not a member of any project yet. A project owner or an administrator can add you."
          }
        >
          {(items) => (
            <DataTable
              label="Projects"
              rows={items}
              rowKey={({ id }) => id}
              columns={[
                {
                  header: "Name",
                  cell: ({ id, name }) => (
                    <AnchorLink to="/lab/projects/$project" params={{ project: id }}>
                      {name}
                    </AnchorLink>
                  ),
                },
                { header: "Your role", cell: ({ role }) => capitalized(role) },
                { header: "Created", cell: ({ createdAt }) => moment(createdAt) },
              ]}
            />
          )}
        </Listing>
      </Section>
    </Stack>
  );
}
