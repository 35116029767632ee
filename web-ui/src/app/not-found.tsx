import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { PageTitle } from "@/shared/page-title";

export function NotFound(): ReactNode {
  return (
    <Stack align="flex-start" p="xl">
      <PageTitle>There is no such page</PageTitle>
      <Text>The address may be of an older version, or may have been cut off.</Text>
      <Anchor component={Link} to="/runs">
        To the runs
      </Anchor>
    </Stack>
  );
}
