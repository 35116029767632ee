import { Alert, List, NativeSelect, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { serviceAddress } from "@/api/base";
import type { Schemas } from "@/api/schemas";
import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { moment } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { Notice } from "@/shared/notice";
import { Copyable, ShownOnce } from "@/shared/shown-once";
import { violationAt } from "@/shared/violations";

import { agentCommand, INSTALLATION_NAMES, INSTALLATIONS, type Installation } from "./agent-command";
import { arrival, type Arrival } from "./arrivals";
import { joinTokenRequest, NEW_JOIN_TOKEN, type JoinTokenForm as Form } from "./join-token-request";
import { useAdmissions, useNewJoinToken } from "./use-join-tokens";
import { useWorkers } from "./use-workers";

/** Makes a join token for one or more machines, and shows how far their agents have come. */
export function AddMachine(): ReactNode {
  return (
    <DialogButton label="Add a machine" title="Add a machine" variant="default">
      {(close) => <JoinTokenForm onClose={close} />}
    </DialogButton>
  );
}

function JoinTokenForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [form, setForm] = useState<Form>(NEW_JOIN_TOKEN);
  const change = (changed: Partial<Form>): void => {
    setForm((before) => ({ ...before, ...changed }));
  };
  const creation = useNewJoinToken();
  if (creation.data) {
    return <NewAgents token={creation.data} name={form.name.trim()} onClose={onClose} />;
  }
  return (
    <FormBody
      action="Make a join token"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={() => {
        creation.mutate(joinTokenRequest(form));
      }}
    >
      <TextInput
        label="Name"
        description="Optional; of the worker, if the token admits one machine"
        data-autofocus
        value={form.name}
        error={violationAt(creation.error, "/name")}
        onChange={(event) => {
          change({ name: event.currentTarget.value });
        }}
      />
      <TextInput
        type="number"
        label="Machines"
        description="How many agents the token may admit, at most 1000"
        min={1}
        max={1000}
        value={form.uses}
        error={violationAt(creation.error, "/uses")}
        onChange={(event) => {
          change({ uses: event.currentTarget.value });
        }}
      />
      <TextInput
        type="datetime-local"
        label="Expires"
        description="At most 90 days ahead; leave empty for a day"
        value={form.expires}
        error={violationAt(creation.error, "/expiresAt")}
        onChange={(event) => {
          change({ expires: event.currentTarget.value });
        }}
      />
    </FormBody>
  );
}

interface NewAgentsProps {
  readonly token: Schemas["JoinToken"];
  readonly name: string;
  readonly onClose: () => void;
}

/** Tells how to start the agents of a new join token, and which of them have joined. */
function NewAgents({ token: { token, expiresAt, uses, id }, name, onClose }: NewAgentsProps): ReactNode {
  const [installation, setInstallation] = useState<Installation>("archive");
  const agent = { token, service: serviceAddress(), name: uses === 1 ? name : "" };
  return (
    <ShownOnce token={token} onClose={onClose}>
      <Text size="sm">
        It admits {uses === 1 ? "one agent" : `${uses.toString()} agents`} until {moment(expiresAt)}. Start each agent
        on its machine; ADDRESS is the address of that machine for the other agents. A restarted agent needs no token.
      </Text>
      <NativeSelect
        label="Agent installed from"
        data={INSTALLATIONS.map((value) => ({ value, label: INSTALLATION_NAMES[value] }))}
        value={installation}
        onChange={(event) => {
          setInstallation(event.currentTarget.value as Installation);
        }}
      />
      {installation === "container" && (
        <Text size="sm">
          VERSION is the tag of the image: the version at the bottom of this page, unless you chose one.
        </Text>
      )}
      <Copyable text={agentCommand(agent, installation)} label="Copy the command" />
      <Arrivals id={id} uses={uses} />
    </ShownOnce>
  );
}

/** Shows how far the workers of a join token have come. */
function Arrivals({ id, uses }: { readonly id: string; readonly uses: number }): ReactNode {
  const admissions = useAdmissions(id);
  const workers = useWorkers();
  const all = workers.data ?? [];
  const admitted = (admissions.data?.workers ?? []).flatMap((worker) => all.filter((each) => each.id === worker));
  const missing = uses - (admissions.data?.token.admitted ?? 0);
  const error = admissions.error ?? workers.error;
  return (
    <div role="status">
      {error && <Notice title="The arrival of the machine could not be read" error={error} />}
      <List size="sm" listStyleType="none">
        {admitted.map((worker) => (
          <Arrived key={worker.id} arrival={arrival(worker, all)} />
        ))}
      </List>
      {missing > 0 && (
        <Text size="sm" c="dimmed">
          {missing === 1 ? "Waiting for the machine …" : `Waiting for ${missing.toString()} machines …`}
        </Text>
      )}
    </div>
  );
}

function Arrived({ arrival: { id, name, progress, failures } }: { readonly arrival: Arrival }): ReactNode {
  return (
    <List.Item>
      <AnchorLink to="/workers/$worker" params={{ worker: id }} size="sm" underline="always">
        {name}
      </AnchorLink>{" "}
      {progress}
      {failures.map(({ sentence, advice }) => (
        <Alert key={sentence} color="orange" variant="light" p="xs">
          {sentence} {advice}
        </Alert>
      ))}
    </List.Item>
  );
}
