import { Alert, Group, Loader, Stack, Tabs, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { ButtonLink } from "@/shared/links";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { isFinal } from "@/shared/run/run-states";

import { ChosenRuns } from "./chosen-runs";
import { TABS, type Tab } from "./compare-search";
import type { Compared } from "./compared";
import { CurvesTab } from "./curves-tab";
import { DifferencesTab } from "./differences-tab";
import { GroupChoice } from "./group-choice";
import { ParallelTab } from "./parallel-tab";
import { RunPicker } from "./run-picker";
import { ScalingTab } from "./scaling-tab";
import { groupingOf, groupsOf, subjectsOf } from "./subjects";
import { TradeOffsTab } from "./trade-offs-tab";
import { useComparison, useLastLook, useMetrics, useSubjects } from "./use-compare";
import { useView } from "./use-view";

const NOTHING: readonly string[] = [];
const NO_DIFFERENCES: Compared["differences"] = [];

/** Compares runs: their curves, costs, scaling and differences. */
export function ComparePage(): ReactNode {
  const { view } = useView();
  const runs = view.runs ?? NOTHING;
  const loaded = useSubjects(runs);
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <PageTitle>Compare</PageTitle>
        <RunPicker />
      </Group>
      {runs.length === 0 ? <NoRuns /> : <ComparedRuns runs={runs} loaded={loaded} />}
    </Stack>
  );
}

function NoRuns(): ReactNode {
  return (
    <Alert color="gray" title="No runs are chosen">
      <Group gap="sm">
        <Text size="sm">Add runs above by their name, or tick them in the list of runs and press “Compare” there.</Text>
        <ButtonLink to="/runs" size="compact-sm" variant="default">
          Go to the runs
        </ButtonLink>
      </Group>
    </Alert>
  );
}

interface ComparedRunsProps {
  readonly runs: readonly string[];
  readonly loaded: UseQueryResult<Schemas["ComparedSubjects"]>;
}

function ComparedRuns({ runs, loaded }: ComparedRunsProps): ReactNode {
  const { view, change } = useView();
  const { tab = "curves", group } = view;
  const { data } = loaded;
  const subjects = useMemo(() => {
    const all = new Map((data === undefined ? [] : subjectsOf(data)).map((subject) => [subject.id, subject]));
    return runs.flatMap((run) => all.get(run) ?? []);
  }, [data, runs]);
  const differences = data?.differences ?? NO_DIFFERENCES;
  const ids = useMemo(() => subjects.map(({ id }) => id), [subjects]);
  const isLive = subjects.some(({ state }) => !isFinal(state));
  useLastLook(isLive);
  // Figures are requested together with the names: for all runs until it is known which exist.
  const asked = loaded.isPending || loaded.isPlaceholderData ? runs : ids;
  const wantsFigures = !["curves", "differences"].includes(tab);
  useMetrics(tab === "curves" ? asked : NOTHING, isLive);
  const comparison = useComparison(wantsFigures ? asked : NOTHING, undefined, isLive);
  const by = groupingOf(group, subjects);
  const groups = useMemo(() => groupsOf(by, subjects), [by, subjects]);
  const compared: Compared = { subjects, differences, groups, isLive };
  return (
    <>
      <ChosenRuns runs={runs} loaded={loaded} subjects={subjects} groups={groups} />
      {loaded.isPending ? (
        <Loader role="status" aria-label="Reading the runs" />
      ) : (
        subjects.length > 0 && (
          <Tabs
            value={tab}
            keepMounted={false}
            onChange={(value) => {
              change({ tab: value as Tab });
            }}
          >
            <Tabs.List>
              {TABS.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {TITLES[each]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={tab} pt="md">
              <Stack>
                {tab !== "differences" && <GroupChoice by={by} differences={differences} />}
                {tab === "differences" ? (
                  <DifferencesTab subjects={subjects} differences={differences} />
                ) : tab === "curves" ? (
                  <CurvesTab {...compared} />
                ) : (
                  <QueryView query={comparison} what="figures of the runs">
                    {(figures) => {
                      switch (tab) {
                        case "trade-offs":
                          return <TradeOffsTab {...compared} comparison={figures} />;
                        case "scaling":
                          return <ScalingTab {...compared} comparison={figures} />;
                        case "parallel":
                          return <ParallelTab {...compared} comparison={figures} />;
                      }
                    }}
                  </QueryView>
                )}
              </Stack>
            </Tabs.Panel>
          </Tabs>
        )
      )}
    </>
  );
}

const TITLES: Record<Tab, string> = {
  curves: "Curves",
  "trade-offs": "Trade-offs",
  scaling: "Scaling",
  parallel: "Parallel coordinates",
  differences: "Differences",
};
