import { Alert, Badge, Group, Stack, Tabs } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { Facts } from "@/shared/facts";
import { duration, figure, moment, percent, seconds, sentence, signedPercent } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { method, setting } from "@/shared/run/configuration";
import { expectedStart } from "@/shared/run/expected-start";
import { RunActions } from "@/shared/run/run-actions";
import { runName } from "@/shared/run/run-name";
import { RunProgress } from "@/shared/run/run-progress";
import { STATE_COLORS } from "@/shared/run/run-states";
import { secondsLeft } from "@/shared/run/time-left";
import { StateBadge } from "@/shared/state-badge";

import { bestReplica } from "./best-replica";
import { CurvesTab } from "./curves-tab";
import { DefinitionTab } from "./definition-tab";
import { agreement } from "./differences";
import { ExchangeTab } from "./exchange-tab";
import { failureText } from "./failure-text";
import { FilesTab } from "./files-tab";
import { LogTab } from "./log-tab";
import { Notes } from "./notes";
import { TABS, type Tab } from "./run-search";
import { TimeTab } from "./time-tab";
import { TopologyTab } from "./topology-tab";
import { useLiveRun, type Liveness } from "./use-live-run";
import { useRun } from "./use-run";

export function RunPage(): ReactNode {
  const { run: id } = useParams({ from: "/runs/$run" });
  const query = useRun(id);
  const liveness = useLiveRun(query.data);
  return (
    <QueryView query={query} what="figures of the run">
      {(run) => <WholeRun run={run} liveness={liveness} />}
    </QueryView>
  );
}

interface WholeRunProps {
  readonly run: Run;
  readonly liveness: Liveness;
}

function WholeRun({ run, liveness }: WholeRunProps): ReactNode {
  const { tab = "curves" } = useSearch({ from: "/runs/$run" });
  const navigate = useNavigate({ from: "/runs/$run" });
  return (
    <Stack gap="md">
      <Header run={run} />
      <Stale liveness={liveness} />
      <Obstacle run={run} />
      <Summary run={run} />
      <Notes run={run} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => void navigate({ search: (before) => ({ ...before, tab: value as Tab }), replace: true })}
      >
        <Tabs.List>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {TITLES[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          <Content tab={tab} run={run} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const TITLES: Record<Tab, string> = {
  curves: "Curves",
  time: "Time",
  exchange: "Exchange",
  topology: "Topology",
  definition: "Definition",
  log: "Log",
  files: "Files",
};

function Content({ tab, run }: { readonly tab: Tab; readonly run: Run }): ReactNode {
  switch (tab) {
    case "curves":
      return <CurvesTab run={run} />;
    case "time":
      return <TimeTab run={run} />;
    case "exchange":
      return <ExchangeTab run={run} />;
    case "topology":
      return <TopologyTab run={run} />;
    case "definition":
      return <DefinitionTab run={run} />;
    case "log":
      return <LogTab run={run} />;
    case "files":
      return <FilesTab run={run} />;
  }
}

interface RunProps {
  readonly run: Run;
}

function Header({ run }: RunProps): ReactNode {
  const navigate = useNavigate();
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <PageTitle>{runName(run)}</PageTitle>
        <StateBadge state={run.state} color={STATE_COLORS[run.state]} />
        {run.tags.map((tag) => (
          <Badge key={tag} variant="outline" color="gray" tt="none">
            {tag}
          </Badge>
        ))}
      </Group>
      <Group gap="xs">
        <AnchorLink to="/runs" search={{ experiment: run.experiment }} size="sm">
          All runs of this experiment
        </AnchorLink>
        <RunActions runs={[run]} onDeleted={() => void navigate({ to: "/runs" })} />
      </Group>
    </Group>
  );
}

function Stale({ liveness }: { readonly liveness: Liveness }): ReactNode {
  return (
    liveness.kind === "stale" && (
      <Alert color="orange" variant="light" title="This page is not up to date">
        {liveness.reason} Last update: {moment(new Date(liveness.since).toISOString(), "time")}. Reconnecting…
      </Alert>
    )
  );
}

/** Shows why the run does not proceed. */
function Obstacle({ run }: RunProps): ReactNode {
  const { failure, waiting, refusal } = run;
  return (
    <>
      {failure && (
        <Alert color="red" variant="light" title={`Failed: ${failureText(failure.code)} (cause: ${failure.cause})`}>
          {sentence(failure.message)} Code: {failure.code}.
        </Alert>
      )}
      {waiting && (
        <Alert
          color="gray"
          variant="light"
          title={run.place == null ? "Waiting" : `Waiting at position ${run.place.toString()} of the queue`}
        >
          {sentence(waiting.message)} Expected to start: {expectedStart(run)}. Code: {waiting.code}.
        </Alert>
      )}
      {refusal && (
        <Alert color="orange" variant="light" title="The run could not be preempted">
          {sentence(refusal.reason)}
        </Alert>
      )}
    </>
  );
}

function Summary({ run }: RunProps): ReactNode {
  const { configuration, prediction } = run;
  const measured = run.validation?.measuredSeconds ?? run.epochSeconds;
  return (
    <Facts
      of={[
        ["Progress", run.startedAt == null ? null : <RunProgress run={run} />],
        ["Time left", run.state === "RUNNING" ? duration(secondsLeft(run)) : null],
        ["Test accuracy", percent(run.testAccuracy)],
        ["Best replica", best(run)],
        ["Test loss", figure(run.testLoss)],
        ["Epoch, measured", seconds(measured)],
        [
          "Epoch, predicted",
          prediction && `${seconds(prediction.epochSeconds)}${error(prediction.epochSeconds, measured)}`,
        ],
        ["Replicas", `${replicas(run)}${agreement(run)}`],
        ["Method", method(run.configuration)],
        ["Dataset", setting(configuration, "dataset", "name")],
        ["Network", setting(configuration, "network", "preset") ?? "own"],
        ["Seed", configuration.seed],
        ["Priority", run.priority],
        ["Generation", generation(run)],
        ["Queued", moment(run.queuedAt)],
        ["Started", run.startedAt && moment(run.startedAt)],
        ["Ended", run.endedAt && moment(run.endedAt)],
      ]}
    />
  );
}

function error(predicted: number, measured: number | null): string {
  return measured == null || measured === 0 ? "" : ` (${signedPercent((predicted - measured) / measured)})`;
}

/** Names the best replica if replicas differ; equal ones have the accuracy of their mean. */
function best(run: Run): string | null {
  const found = run.replicasIdentical === false ? bestReplica(run) : null;
  return found && `${percent(found.accuracy)} (rank ${found.rank.toString()})`;
}

function generation({ generation: number, preemptions, setbacks }: Run): string | null {
  return number === 0
    ? null
    : [
        number.toString(),
        ...(preemptions === 0 ? [] : [`preempted ${times(preemptions)}`]),
        ...(setbacks === 0 ? [] : [`restarted ${times(setbacks)}`]),
      ].join(", ");
}

function times(count: number): string {
  return count === 1 ? "once" : `${count.toString()} times`;
}

/** The current number of replicas: some may have been lost. */
function replicas(run: Run): string {
  const wanted = run.configuration.workers.replicas;
  const now = run.replicas.filter(({ share }) => share > 0).length;
  return now === 0 || now >= wanted ? wanted.toString() : `${now.toString()} of ${wanted.toString()}`;
}
