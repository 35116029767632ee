import { Box, Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { ConfirmButton } from "@/shared/confirm-button";
import { DataTable, type Column } from "@/shared/data-table";
import { capitalized, moment } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Notice } from "@/shared/notice";
import { Section } from "@/shared/section";

import { NewWebhook } from "./new-webhook";
import {
  useDeliveries,
  usePing,
  useResend,
  useSwitch,
  useWebhookDeletion,
  useWebhooks,
  type Delivery,
  type Webhook,
} from "./use-webhooks";
import { EVENTS, outcome, webhookState } from "./webhook-texts";

const COLUMNS: readonly Column<Webhook>[] = [
  { header: "Name", cell: ({ name }) => name },
  { header: "URL", cell: ({ url }) => <span style={{ overflowWrap: "anywhere" }}>{url}</span> },
  {
    header: "Events",
    cell: ({ events }) =>
      EVENTS.filter(({ value }) => events.includes(value))
        .map(({ label }) => label)
        .join(", "),
  },
  { header: "State", cell: webhookState },
  { header: "Actions", cell: (webhook) => <Actions webhook={webhook} /> },
];

/** The webhooks of a project, each with its last deliveries. */
export function Webhooks({ project }: { readonly project: string }): ReactNode {
  const webhooks = useWebhooks(project);
  return (
    <Section title="Webhooks" count={webhooks.data?.length}>
      <Box px="md" pb="sm">
        <NewWebhook project={project} />
      </Box>
      <Listing
        query={webhooks}
        what="webhooks"
        empty="There are no webhooks yet. Make one to tell a program that a run has ended or a worker was lost."
      >
        {(items) => (
          <DataTable
            label="Webhooks"
            rows={items}
            rowKey={({ id }) => id}
            columns={COLUMNS}
            details={{
              label: ({ name }) => `Deliveries of ${name}`,
              content: (webhook) => <Deliveries webhook={webhook} />,
            }}
          />
        )}
      </Listing>
    </Section>
  );
}

interface WebhookProps {
  readonly webhook: Webhook;
}

function Actions({ webhook }: WebhookProps): ReactNode {
  const ping = usePing(webhook);
  return (
    <Group gap="xs">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Try the webhook ${webhook.name}`}
        disabled={!webhook.enabled}
        loading={ping.isPending}
        onClick={() => {
          ping.mutate();
        }}
      >
        Try
      </Button>
      <ConfirmButton
        label={webhook.enabled ? "Disable" : "Enable"}
        title={`${webhook.enabled ? "Disable" : "Enable"} the webhook ${webhook.name}`}
        sentence={
          webhook.enabled
            ? "It gets no events until it is enabled. Pending deliveries wait."
            : "It gets events from now on, and the deliveries that are pending."
        }
        change={useSwitch(webhook)}
      />
      <ConfirmButton
        label="Delete"
        title={`Delete the webhook ${webhook.name}`}
        sentence="Its deliveries are deleted too; pending ones are not sent any more."
        isGrave
        change={useWebhookDeletion(webhook)}
      />
      {ping.error && <Notice title="The request was rejected" error={ping.error} />}
    </Group>
  );
}

function Deliveries({ webhook }: WebhookProps): ReactNode {
  const resend = useResend(webhook);
  const columns: readonly Column<Delivery>[] = [
    { header: "Created", cell: ({ createdAt }) => moment(createdAt) },
    { header: "Event", cell: ({ type }) => type },
    { header: "State", cell: ({ state }) => capitalized(state) },
    { header: "Last attempt", cell: outcome },
    { header: "Next attempt", cell: ({ dueAt }) => dueAt !== null && moment(dueAt) },
    {
      header: "Actions",
      cell: ({ id, type, createdAt }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Send again ${type} of ${moment(createdAt)}`}
          disabled={!webhook.enabled || resend.isPending}
          onClick={() => {
            resend.mutate(id);
          }}
        >
          Send again
        </Button>
      ),
    },
  ];
  return (
    <Stack gap="xs">
      {resend.error && <Notice title="The request was rejected" error={resend.error} />}
      <Listing query={useDeliveries(webhook)} what="deliveries" empty="There are no deliveries yet.">
        {(items) => (
          <DataTable label={`Deliveries of ${webhook.name}`} rows={items} rowKey={({ id }) => id} columns={columns} />
        )}
      </Listing>
    </Stack>
  );
}
