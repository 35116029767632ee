import { Group, Paper, Text, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";

import classes from "./section.module.css";

interface SectionProps {
  readonly title: string;
  readonly count?: number | undefined;
  /** Buttons for the content. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, count, actions, children }: SectionProps): ReactNode {
  const heading = useId();
  return (
    <Paper component="section" className={classes.section} withBorder radius="md" aria-labelledby={heading}>
      <Group gap="xs" px="md" pt="sm" pb="xs" align="baseline">
        <Title order={2} size="h5" id={heading}>
          {title}
        </Title>
        {count !== undefined && (
          <Text c="dimmed" size="sm">
            {count}
          </Text>
        )}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </Group>
      {children}
    </Paper>
  );
}
