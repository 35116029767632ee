import { Code, Group, Stack, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { NONE, moment, capitalized } from "@/shared/format";
import { ButtonLink } from "@/shared/links";
import { QueryView } from "@/shared/query-view";
import { Section } from "@/shared/section";
import { useProjects } from "@/shared/use-projects";

import { detailText, words } from "./audit-texts";
import { useAudit } from "./use-lab";

interface AuditTableProps {
  /** Undefined for the whole lab. */
  readonly project: string | undefined;
}

/** A page of audit entries: who changed what, and when. */
export function AuditTable({ project }: AuditTableProps): ReactNode {
  const older = useSearch({ strict: false, select: (search) => search.older });
  const query = useAudit(project, older);
  const columns = useColumns(project === undefined);
  return (
    <Section title="Audit">
      <QueryView query={query} what="audit entries">
        {({ items, next }) => (
          <Stack gap="sm" pb="md">
            {items.length === 0 ? (
              <Text c="dimmed" size="sm" px="md">
                {older === undefined ? "There are no entries yet." : "There are no older entries."}
              </Text>
            ) : (
              <DataTable label="Audit" rows={items} rowKey={({ id }) => id} columns={columns} />
            )}
            <Group px="md" gap="xs">
              {older !== undefined && (
                <ButtonLink size="xs" variant="default" to="." search={(before) => ({ ...before, older: undefined })}>
                  Newest
                </ButtonLink>
              )}
              {next !== null && (
                <ButtonLink size="xs" variant="default" to="." search={(before) => ({ ...before, older: next })}>
                  Older
                </ButtonLink>
              )}
            </Group>
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

type Entry = Schemas["AuditEntry"];

function useColumns(tellsProject: boolean): readonly Column<Entry>[] {
  const { data: projects = [] } = useProjects();
  const nameOf = (id: string | null): string =>
    id === null ? NONE : (projects.find((project) => project.id === id)?.name ?? id);
  return [
    { header: "When", cell: ({ at }) => <time dateTime={at}>{moment(at)}</time> },
    { header: "Who", cell: ({ actor }) => actor },
    { header: "What", cell: ({ action }) => capitalized(words(action)) },
    {
      header: "On",
      cell: ({ kind, subject }) => (
        <>
          {words(kind)} <Code>{subject}</Code>
        </>
      ),
    },
    ...(tellsProject ? [{ header: "Project", cell: ({ project }: Entry) => nameOf(project) }] : []),
    { header: "How", cell: ({ detail }) => detailText(detail) },
  ];
}
