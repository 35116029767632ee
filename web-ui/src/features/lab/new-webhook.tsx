import { Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { ShownOnce } from "@/shared/shown-once";
import { violationAt } from "@/shared/violations";

import { useNewWebhook } from "./use-webhooks";
import { EVENTS } from "./webhook-texts";

/** Makes a webhook, and shows its secret once. */
export function NewWebhook({ project }: { readonly project: string }): ReactNode {
  return (
    <DialogButton label="Make a webhook" title="New webhook">
      {(close) => <WebhookForm project={project} onClose={close} />}
    </DialogButton>
  );
}

interface WebhookFormProps {
  readonly project: string;
  readonly onClose: () => void;
}

function WebhookForm({ project, onClose }: WebhookFormProps): ReactNode {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<string[]>(["run.ended"]);
  const creation = useNewWebhook(project);
  if (creation.data?.secret != null) {
    return (
      <ShownOnce token={creation.data.secret} what="secret" onClose={onClose}>
        <Text size="sm">With it the receiver verifies that a delivery comes from this service.</Text>
      </ShownOnce>
    );
  }
  return (
    <FormBody
      action="Make"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={() => {
        const chosen = EVENTS.map(({ value }) => value).filter((value) => events.includes(value));
        creation.mutate({ name: name.trim(), url: url.trim(), events: chosen, secret: null });
      }}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        error={violationAt(creation.error, "/name")}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <TextInput
        label="URL"
        description="Of the receiver, with a public address"
        placeholder="https://"
        required
        value={url}
        error={violationAt(creation.error, "/url")}
        onChange={(event) => {
          setUrl(event.currentTarget.value);
        }}
      />
      <Checkbox.Group label="Events" value={events} error={violationAt(creation.error, "/events")} onChange={setEvents}>
        <Stack gap="xs" pt="xs">
          {EVENTS.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormBody>
  );
}
