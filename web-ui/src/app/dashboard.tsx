import { Button, Container, Stack, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";

import { Experiments } from "@/features/experiments/experiments";
import { ProjectScope } from "@/features/projects/project-scope";
import { Runs } from "@/features/runs/runs";
import { useCaller } from "@/features/session/use-caller";
import { Workers } from "@/features/workers/workers";
import { Logo } from "@/shared/logo";
import { QueryView } from "@/shared/query-view";

import classes from "./dashboard.module.css";

interface DashboardProps {
  readonly onSignOut: () => void;
}

export function Dashboard({ onSignOut }: DashboardProps): ReactNode {
  const caller = useCaller();
  return (
    <>
      <header className={classes.header}>
        <Container size="xl" className={classes.bar}>
          <Logo />
          <div className={classes.caller}>
            {caller.data && <Text size="sm">{caller.data.name}</Text>}
            <Button size="xs" variant="default" onClick={onSignOut}>
              Sign out
            </Button>
          </div>
        </Container>
      </header>
      <Container component="main" size="xl" py="lg">
        <VisuallyHidden component="h1">Dashboard</VisuallyHidden>
        <QueryView query={caller} what="rights of the token">
          {() => (
            <Stack gap="lg">
              <ProjectScope>
                {(project) => (
                  <>
                    <Experiments project={project} />
                    <Runs project={project} />
                  </>
                )}
              </ProjectScope>
              <Workers />
            </Stack>
          )}
        </QueryView>
      </Container>
    </>
  );
}
