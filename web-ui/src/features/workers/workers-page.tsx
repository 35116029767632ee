import { Button, Code, Group, MultiSelect, Stack, Tabs, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState, type ReactNode } from "react";

import { serviceAddress } from "@/api/base";
import type { Worker } from "@/api/schemas";
import { FilterInput } from "@/shared/filter-input";
import { sentenceCase } from "@/shared/format";
import { ButtonLink } from "@/shared/links";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { useRights } from "@/shared/rights";
import { VirtualTable } from "@/shared/virtual-table";

import { AddMachine } from "./add-machine";
import { JoinTokens } from "./join-tokens";
import { Speeds } from "./speeds";
import { useWorkers } from "./use-workers";
import { WorkerActions } from "./worker-actions";
import { columns } from "./worker-columns";
import { BY_NAME, counts, shown } from "./worker-list";
import { STATES, TABS, type Sort, type Tab, type WorkersSearch } from "./workers-search";

/** Overview of the workers of the lab. */
export function WorkersPage(): ReactNode {
  const view = useSearch({ from: "/workers" });
  const navigate = useNavigate({ from: "/workers" });
  const query = useWorkers();
  const { isAdministrator } = useRights();
  const change = useCallback(
    (changed: Partial<WorkersSearch>) =>
      void navigate({ search: (before) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
  const tab = view.tab ?? "list";
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="xs">
        <PageTitle>Workers</PageTitle>
        {tab === "list" && <Filters view={view} onChange={change} />}
        {isAdministrator && <AddMachine />}
      </Group>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          change({ tab: value === "list" ? undefined : (value as Tab) });
        }}
      >
        <Tabs.List>
          {TABS.filter((each) => each !== "tokens" || isAdministrator).map((each) => (
            <Tabs.Tab key={each} value={each}>
              {TITLES[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="sm">
          {tab === "speed" && <Speeds />}
          {tab === "tokens" && (isAdministrator ? <JoinTokens /> : <NoRights />)}
          {tab === "list" && (
            <QueryView query={query} what="workers">
              {(workers, asOf) =>
                workers.length === 0 ? (
                  <NoWorkers />
                ) : (
                  <Lab workers={workers} asOf={asOf} view={view} onChange={change} />
                )
              }
            </QueryView>
          )}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const TITLES: Record<Tab, string> = { list: "List", speed: "Speed", tokens: "Join tokens" };

function NoRights(): ReactNode {
  return <Text c="dimmed">Only administrators see the join tokens of the lab.</Text>;
}

interface ViewProps {
  readonly view: WorkersSearch;
  readonly onChange: (changed: Partial<WorkersSearch>) => void;
}

interface LabProps extends ViewProps {
  readonly workers: readonly Worker[];
  readonly asOf: number;
}

function Lab({ workers, asOf, view, onChange }: LabProps): ReactNode {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => shown(workers, view), [workers, view]);
  const drawn = useMemo(() => columns(asOf, workers), [asOf, workers]);
  const targets = rows.filter(({ id }) => chosen.has(id));
  const toggle = useCallback((key: string) => {
    setChosen((before) => {
      const after = new Set(before);
      return after.delete(key) ? after : after.add(key);
    });
  }, []);
  return (
    <>
      <Group justify="space-between" gap="xs" mih={30}>
        <Text size="sm" c="dimmed" role="status">
          {counts(rows, STATES)
            .map(([state, count]) => `${count.toString()} ${state.toLowerCase()}`)
            .join(", ")}
          {targets.length > 0 && `; ${targets.length.toString()} chosen`}
        </Text>
        <Group gap="xs">
          <WorkerActions workers={targets} />
          <ButtonLink
            size="xs"
            variant="default"
            to="/workers/links"
            search={targets.length < 2 ? {} : { worker: targets.map(({ id }) => id) }}
          >
            {targets.length < 2 ? "Links" : "Links between them"}
          </ButtonLink>
        </Group>
      </Group>
      {rows.length === 0 ? (
        <Group>
          <Text c="dimmed">No worker matches</Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              onChange({ state: undefined, name: undefined, label: undefined });
            }}
          >
            Show all
          </Button>
        </Group>
      ) : (
        <VirtualTable
          label="Workers"
          columns={drawn}
          rows={rows}
          rowKey={({ id }) => id}
          selection={{ keys: chosen, label: ({ name }) => name, onToggle: toggle }}
          sort={view.sort ?? BY_NAME}
          onSort={(sort) => {
            onChange({ sort: sort === BY_NAME ? undefined : (sort as Sort) });
          }}
          onNearEnd={nothingMore}
        />
      )}
    </>
  );
}

/** All workers are read at once. */
function nothingMore(): void {
  return;
}

function NoWorkers(): ReactNode {
  return (
    <Text c="dimmed" size="sm">
      No workers yet. Start one with <Code>./equipoise agent --service {serviceAddress()} --join-token TOKEN</Code>; an
      administrator makes the token with “Add a machine”.
    </Text>
  );
}

function Filters({ view, onChange }: ViewProps): ReactNode {
  return (
    <>
      <FilterInput
        label="Name or host contains"
        placeholder="Name or host contains"
        value={view.name}
        onChange={(name) => {
          onChange({ name });
        }}
      />
      <FilterInput
        label="Label, as key or key=value"
        placeholder="key=value"
        width="9rem"
        value={view.label}
        onChange={(label) => {
          onChange({ label });
        }}
      />
      <MultiSelect
        size="xs"
        aria-label="States"
        placeholder={view.state === undefined ? "All except left" : ""}
        data={STATES.map((state) => ({ value: state, label: sentenceCase(state) }))}
        value={[...(view.state ?? [])]}
        onChange={(states) => {
          onChange({ state: states.length === 0 ? undefined : states });
        }}
        clearable
      />
    </>
  );
}
