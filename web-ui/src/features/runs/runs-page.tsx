import { Alert, Button, Group, Menu, MultiSelect, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState, type ReactNode } from "react";

import { FilterInput } from "@/shared/filter-input";
import { sentenceCase } from "@/shared/format";
import { ButtonLink } from "@/shared/links";
import { Notice } from "@/shared/notice";
import { PageTitle } from "@/shared/page-title";
import { useProjectScope } from "@/shared/project-scope";
import { MAX_COMPARED } from "@/shared/run/comparison";
import { RunActions } from "@/shared/run/run-actions";
import { runName } from "@/shared/run/run-name";
import { STATES } from "@/shared/run/run-states";
import { VirtualTable } from "@/shared/virtual-table";

import { COLUMNS, DEFAULT_COLUMNS, NAME } from "./run-columns";
import classes from "./runs-page.module.css";
import type { Sort } from "./run-order";
import { COLUMN_IDS, NEWEST, runsSearch, type RunsSearch } from "./runs-search";
import { SavedViews } from "./saved-views";
import { useRuns } from "./use-runs";

export function RunsPage(): ReactNode {
  const view = useSearch({ from: "/runs" });
  const navigate = useNavigate({ from: "/runs" });
  const project = useProjectScope();
  const runs = useRuns(project, view);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const columns = useMemo(() => [NAME, ...(view.columns ?? DEFAULT_COLUMNS).map((id) => COLUMNS[id])], [view.columns]);
  const targets = runs.rows.filter(({ id }) => chosen.has(id));

  const change = useCallback(
    (changed: Partial<RunsSearch>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
  const toggle = useCallback((key: string) => {
    setChosen((before) => {
      const after = new Set(before);
      return after.delete(key) ? after : after.add(key);
    });
  }, []);

  return (
    <Stack className={classes.page} gap="sm">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Group align="flex-end" gap="xs">
          <PageTitle>Runs</PageTitle>
          <Filters view={view} onChange={change} />
        </Group>
        <Group gap="xs">
          <ColumnChooser view={view} onChange={change} />
          <SavedViews
            view={view}
            onOpen={(search) =>
              void navigate({ search: ({ project: scope }) => ({ project: scope, ...runsSearch(search) }) })
            }
          />
        </Group>
      </Group>
      {runs.error && <Notice title="The runs are not up to date" error={runs.error} onRetry={runs.readAnew} />}
      <Group justify="space-between" gap="xs" mih={30}>
        <Text size="sm" c="dimmed" role="status">
          {runs.isPending ? "Reading…" : counted(runs.rows.length, runs.hasMore)}
          {targets.length > 0 && `, ${targets.length.toString()} chosen`}
          {runs.newcomers > 0 && (
            <Button size="compact-xs" variant="light" ml="sm" onClick={runs.readAnew}>
              Show {runs.newcomers.toString()} that came since
            </Button>
          )}
        </Text>
        {targets.length > 0 && (
          <Group gap="xs">
            <CompareButton runs={targets.map(({ id }) => id)} />
            <RunActions
              runs={targets}
              onDeleted={() => {
                setChosen(new Set());
                runs.readAnew();
              }}
            />
            <Button
              size="xs"
              variant="subtle"
              onClick={() => {
                setChosen(new Set());
              }}
            >
              Clear selection
            </Button>
          </Group>
        )}
      </Group>
      {!runs.isPending && runs.rows.length === 0 ? (
        <NoRuns isFiltered={Object.keys(view).some((key) => key !== "columns" && key !== "project")} />
      ) : (
        <VirtualTable
          label="Runs"
          columns={columns}
          rows={runs.rows}
          rowKey={idOf}
          selection={{ keys: chosen, label: runName, onToggle: toggle }}
          sort={view.sort ?? NEWEST}
          onSort={(sort) => {
            change({ sort: sort === NEWEST ? undefined : (sort as Sort) });
          }}
          onNearEnd={runs.readMore}
        />
      )}
    </Stack>
  );
}

function counted(rows: number, hasMore: boolean): string {
  return rows === 1 && !hasMore ? "1 run" : `${rows.toLocaleString("en")}${hasMore ? " or more" : ""} runs`;
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function CompareButton({ runs }: { readonly runs: readonly string[] }): ReactNode {
  return runs.length > MAX_COMPARED ? (
    <Button size="xs" variant="default" disabled>
      Compare (at most {MAX_COMPARED})
    </Button>
  ) : (
    <ButtonLink to="/compare" search={{ runs }} size="xs" variant="default">
      Compare
    </ButtonLink>
  );
}

interface ViewProps {
  readonly view: RunsSearch;
  readonly onChange: (changed: Partial<RunsSearch>) => void;
}

function Filters({ view, onChange }: ViewProps): ReactNode {
  return (
    <>
      <FilterInput
        label="Name contains"
        placeholder="Name contains"
        value={view.name}
        onChange={(name) => {
          onChange({ name });
        }}
      />
      <FilterInput
        label="Tag"
        placeholder="Tag"
        width="8rem"
        value={view.tag}
        onChange={(tag) => {
          onChange({ tag });
        }}
      />
      <MultiSelect
        size="xs"
        aria-label="States"
        placeholder={view.state ? undefined : "Any state"}
        clearable
        data={STATES.map((state) => ({ value: state, label: sentenceCase(state) }))}
        value={[...(view.state ?? [])]}
        onChange={(states) => {
          onChange({ state: states.length === 0 ? undefined : states });
        }}
      />
      {view.experiment !== undefined && (
        <Button
          size="xs"
          variant="light"
          onClick={() => {
            onChange({ experiment: undefined });
          }}
        >
          One experiment ×
        </Button>
      )}
    </>
  );
}

function ColumnChooser({ view, onChange }: ViewProps): ReactNode {
  const shown = view.columns ?? DEFAULT_COLUMNS;
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default">
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMN_IDS.map((id) => (
          <Menu.CheckboxItem
            key={id}
            checked={shown.includes(id)}
            onChange={() => {
              const columns = COLUMN_IDS.filter((each) => shown.includes(each) !== (each === id));
              onChange({ columns: columns.join() === DEFAULT_COLUMNS.join() ? undefined : columns });
            }}
          >
            {COLUMNS[id].header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <Alert color="gray" title="No run matches">
      <Group gap="sm">
        <Text size="sm">Change the filters to see other runs.</Text>
        <ButtonLink to="/runs" size="compact-sm" variant="default">
          Show all runs
        </ButtonLink>
      </Group>
    </Alert>
  ) : (
    <Alert color="gray" title="No runs yet">
      <Group gap="sm">
        <Text size="sm">Write a definition or choose a preset, predict its time, and queue its runs.</Text>
        <ButtonLink to="/plan" size="compact-sm" variant="default">
          Plan a run
        </ButtonLink>
      </Group>
    </Alert>
  );
}
