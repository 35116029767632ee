import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export function NotFound(): ReactNode {
  return (
    <Stack align="flex-start" p="xl">
      <Title order={1} size="h3">
        There is no such page
      </Title>
      <Text>The address may be of an older version, or may have been cut off.</Text>
      <Anchor component={Link} to="/runs">
        To the runs
      </Anchor>
    </Stack>
  );
}
