import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { PageTitle } from "@/shared/page-title";

export function NotFound(): ReactNode {
  return (
    <Stack align="flex-start" p="xl">
      <PageTitle>Page not found</PageTitle>
      <Text>The address may come from an older version or may be incomplete.</Text>
      <Anchor component={Link} to="/runs">
        Go to the runs
      </Anchor>
    </Stack>
  );
}
