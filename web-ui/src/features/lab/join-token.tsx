import { Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { serviceAddress } from "@/api/base";
import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { moment } from "@/shared/format";
import { Copyable, ShownOnce } from "@/shared/shown-once";
import { violationAt } from "@/shared/violations";

import { agentCommand } from "./agent-command";
import { joinTokenRequest, NEW_JOIN_TOKEN, type JoinTokenForm as Form } from "./join-token-request";
import { useNewJoinToken } from "./use-lab";

/** Makes a join token for one or more agents. */
export function NewJoinToken(): ReactNode {
  return (
    <DialogButton label="Make a join token" title="New join token" variant="default">
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
    const { token, expiresAt, uses } = creation.data;
    return (
      <ShownOnce token={token} onClose={onClose}>
        <Text size="sm">
          It admits {uses === 1 ? "one agent" : `${uses.toString()} agents`} until {moment(expiresAt)}. Start each agent
          on its host; ADDRESS is the address of that host for the other agents. A restarted agent needs no token.
        </Text>
        <Copyable
          text={agentCommand(token, serviceAddress(), uses === 1 ? form.name.trim() : "")}
          label="Copy the command"
        />
      </ShownOnce>
    );
  }
  return (
    <FormBody
      action="Make"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={() => {
        creation.mutate(joinTokenRequest(form));
      }}
    >
      <TextInput
        label="Name"
        description="Optional; of the worker, if the token admits one"
        data-autofocus
        value={form.name}
        error={violationAt(creation.error, "/name")}
        onChange={(event) => {
          change({ name: event.currentTarget.value });
        }}
      />
      <TextInput
        type="number"
        label="Agents"
        description="How many agents it may admit, at most 1000"
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
