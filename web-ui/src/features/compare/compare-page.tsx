import { Alert, Group, Loader, Stack, Tabs, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import type { Run } from "@/api/schemas";
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
import { EQUAL, groupsOf, subjectsOf } from "./subjects";
import { TradeOffsTab } from "./trade-offs-tab";
import { useComparison, useLastLook, useMetrics, useRuns, type Parts } from "./use-compare";
import { useView } from "./use-view";

const NOTHING: readonly string[] = [];

/** Compares runs: their curves, costs, scaling and differences. */
export function ComparePage(): ReactNode {
  const { view } = useView();
  const runs = view.runs ?? NOTHING;
  const loaded = useRuns(runs);
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
  readonly loaded: Parts<Run>;
}

function ComparedRuns({ runs, loaded }: ComparedRunsProps): ReactNode {
  const { view, change } = useView();
  const { tab = "curves", group } = view;
  const subjects = useMemo(() => subjectsOf(loaded.data.filter((run) => run !== undefined)), [loaded.data]);
  const ids = useMemo(() => subjects.map(({ id }) => id), [subjects]);
  const isLive = subjects.some(({ state }) => !isFinal(state));
  useLastLook(isLive);
  // Figures are requested together with the runs: for all of them until it is known which exist.
  const asked = loaded.isPending ? runs : ids;
  const wantsFigures = group === EQUAL || !["curves", "differences"].includes(tab);
  useMetrics(tab === "curves" ? asked : NOTHING, isLive);
  const comparison = useComparison(wantsFigures ? asked : NOTHING, undefined, isLive);
  const groups = useMemo(
    () => groupsOf(group, subjects, comparison.data?.groups ?? []),
    [group, subjects, comparison.data],
  );
  const compared: Compared = { subjects, groups, isLive };
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
                {tab !== "differences" && <GroupChoice subjects={subjects} />}
                {tab === "differences" ? (
                  <DifferencesTab subjects={subjects} />
                ) : tab === "curves" && group !== EQUAL ? (
                  <CurvesTab {...compared} />
                ) : (
                  <QueryView query={comparison} what="figures of the runs">
                    {(figures) => {
                      switch (tab) {
                        case "curves":
                          return <CurvesTab {...compared} />;
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
