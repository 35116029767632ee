import { Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface PageTitleProps {
  readonly children: string;
}

/** What the page is called, on it and in the browser's tabs and history. */
export function PageTitle({ children }: PageTitleProps): ReactNode {
  useDocumentTitle(`${children} · Equipoise`);
  return (
    <Title order={1} size="h3">
      {children}
    </Title>
  );
}
