import { Alert, Group, Stack } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Worker } from "@/api/schemas";
import { Facts } from "@/shared/facts";
import { ago, factor, memory, moment } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { PageTitle } from "@/shared/page-title";
import { QueryView } from "@/shared/query-view";
import { useRights } from "@/shared/rights";

import { NewProfile } from "./profile-form";
import { Profiles } from "./profiles";
import { unreachable } from "./reachability";
import { useWorker, useWorkers } from "./use-workers";
import { WorkerActions } from "./worker-actions";
import { State } from "./worker-columns";
import { WorkerHistory } from "./worker-history";
import { agentText, labelText } from "./worker-list";

export function WorkerPage(): ReactNode {
  const { worker: id } = useParams({ from: "/workers/$worker" });
  const query = useWorker(id);
  return (
    <QueryView query={query} what="properties of the worker">
      {(worker, asOf) => (
        <Stack gap="md">
          <Header worker={worker} />
          <Unreachable worker={worker} />
          <WorkerFacts worker={worker} asOf={asOf} />
          <WorkerHistory worker={worker} />
          <Profiles worker={worker} />
        </Stack>
      )}
    </QueryView>
  );
}

function Header({ worker }: { readonly worker: Worker }): ReactNode {
  const { isAdministrator } = useRights();
  const navigate = useNavigate();
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <PageTitle>{worker.name}</PageTitle>
        <State worker={worker} />
      </Group>
      <Group gap="xs">
        <AnchorLink to="/workers" size="sm">
          All workers
        </AnchorLink>
        <WorkerActions workers={[worker]} onRemoved={() => void navigate({ to: "/workers" })} />
        {isAdministrator && worker.state !== "LEFT" && <NewProfile worker={worker} />}
      </Group>
    </Group>
  );
}

/** Shows why runs do not get this worker together with others. */
function Unreachable({ worker }: { readonly worker: Worker }): ReactNode {
  const workers = useWorkers();
  const sentences = unreachable(worker, workers.data ?? []);
  return (
    sentences.length > 0 && (
      <Alert color="orange" variant="light" title="Runs do not get these workers together">
        {sentences.map((sentence) => (
          <div key={sentence}>{sentence}</div>
        ))}
      </Alert>
    )
  );
}

function WorkerFacts({ worker, asOf }: { readonly worker: Worker; readonly asOf: number }): ReactNode {
  const { host, labels, sees, clusterAddress, dataAddress, joinedAt, lastSeenAt, coolingUntil, folders } = worker;
  return (
    <Facts
      of={[
        ["Heartbeat", ago(lastSeenAt, asOf)],
        ["Cooldown until", coolingUntil && moment(coolingUntil)],
        ["Joined", moment(joinedAt)],
        ["Host", host.name],
        ["System", host.system],
        ["Agent", agentText(worker)],
        ["Backend", host.backend],
        ["Processor", host.processor],
        ["Instruction set", host.instructionSet],
        ["Threads", `${host.threads.toString()} of ${host.processors.toString()} processors`],
        ["Memory", memory(host.memoryBytes)],
        ["Slowdown", factor(host.slowDown)],
        ["Labels", labelText(labels) || null],
        ["Data folders", folders && (folders.join(", ") || "none")],
        ["Cluster address", clusterAddress],
        ["Data address", dataAddress],
        ["Sees", sees.length === 1 ? "1 worker" : `${sees.length.toString()} workers`],
      ]}
    />
  );
}
