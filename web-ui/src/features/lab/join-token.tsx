import { Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { moment } from "@/shared/format";
import { Copyable, ShownOnce } from "@/shared/shown-once";
import { violationAt } from "@/shared/violations";

import { agentCommand } from "./lab";
import { useNewJoinToken } from "./use-lab";

/** Makes a join token for one agent. */
export function NewJoinToken(): ReactNode {
  return (
    <DialogButton label="Make a join token" title="New join token" variant="default">
      {(close) => <JoinTokenForm onClose={close} />}
    </DialogButton>
  );
}

function JoinTokenForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState("");
  const creation = useNewJoinToken();
  if (creation.data) {
    const { token, expiresAt } = creation.data;
    return (
      <ShownOnce token={token} onClose={onClose}>
        <Text size="sm">
          It admits one agent until {moment(expiresAt)}. Start the agent on its host; ADDRESS is the address of that
          host for the other agents.
        </Text>
        <Copyable text={agentCommand(token, window.location.origin, name.trim())} label="Copy the command" />
      </ShownOnce>
    );
  }
  return (
    <FormBody
      action="Make"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={() => {
        creation.mutate({ name: name.trim() || null });
      }}
    >
      <TextInput
        label="Name of the worker"
        description="Optional"
        data-autofocus
        value={name}
        error={violationAt(creation.error, "/name")}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
    </FormBody>
  );
}
