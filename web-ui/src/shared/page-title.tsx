import { Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface PageTitleProps {
  readonly children: string;
}

/** The title of the page, also for the browser's tabs and history. */
export function PageTitle({ children }: PageTitleProps): ReactNode {
  useDocumentTitle(`${children} · Equipoise`);
  return (
    <Title order={1} size="h3">
      {children}
    </Title>
  );
}
