import { Code, Group, NativeSelect, Text } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";

import type { Project } from "@/api/schemas";
import { Listing } from "@/shared/listing";

import { useProjects } from "./use-projects";

interface ProjectScopeProps {
  /** Draws what belongs to the project of this id. */
  readonly children: (project: string) => ReactNode;
}

/** Lets the caller choose among the projects that the token reaches. */
export function ProjectScope({ children }: ProjectScopeProps): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Listing
      query={useProjects()}
      what="projects"
      empty={
        <>
          No projects yet. POST {"{"}&quot;name&quot;: …{"}"} to <Code>/api/v1/projects</Code>.
        </>
      }
    >
      {(projects) => {
        const project = projects.find(({ id }) => id === chosen) ?? projects[0];
        return (
          project && (
            <>
              <ProjectChoice projects={projects} project={project} onChoose={setChosen} />
              {children(project.id)}
            </>
          )
        );
      }}
    </Listing>
  );
}

interface ProjectChoiceProps {
  readonly projects: readonly Project[];
  readonly project: Project;
  readonly onChoose: (project: string) => void;
}

function ProjectChoice({ projects, project, onChoose }: ProjectChoiceProps): ReactNode {
  const field = useId();
  return (
    <Group gap="xs">
      <Text component="label" htmlFor={field} size="sm" c="dimmed">
        Project
      </Text>
      <NativeSelect
        id={field}
        size="sm"
        value={project.id}
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => {
          onChoose(event.currentTarget.value);
        }}
      />
    </Group>
  );
}
