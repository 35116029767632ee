import { Box, Group, NumberInput, Progress, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Project } from "@/api/schemas";
import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { QueryView } from "@/shared/query-view";
import { useRights } from "@/shared/rights";
import { Section } from "@/shared/section";
import { violationAt } from "@/shared/violations";

import { QUOTAS, quotaForm, quotaRequest, usageRows, type UsageRow } from "./quotas";
import { useNewQuota, useUsage } from "./use-lab";

interface UsageProps {
  readonly project: Project;
}

/** The usage of a project in relation to its quota. */
export function Usage({ project }: UsageProps): ReactNode {
  const { has } = useRights();
  return (
    <Section title="Quota">
      {has("administrator", project.id) && (
        <Box px="md" pb="sm">
          <DialogButton label="Set the quota" title={`Quota of ${project.name}`} variant="default">
            {(close) => <QuotaForm project={project} onDone={close} />}
          </DialogButton>
        </Box>
      )}
      <QueryView query={useUsage(project.id)} what="usage figures">
        {(usage) => (
          <Stack px="md" pb="md" gap="sm" maw={560}>
            {usageRows(usage).map((row) => (
              <Bar key={row.name} row={row} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function Bar({ row: { label, text, fraction } }: { readonly row: UsageRow }): ReactNode {
  return (
    <div>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </Group>
      {fraction !== null && (
        <Progress aria-label={`${label}: ${text}`} value={100 * fraction} color={fraction >= 1 ? "red" : undefined} />
      )}
    </div>
  );
}

function QuotaForm({ project, onDone }: UsageProps & { readonly onDone: () => void }): ReactNode {
  const [form, setForm] = useState(() => quotaForm(project.quota));
  const change = useNewQuota(project.id);
  return (
    <FormBody
      action="Set"
      error={change.error}
      isPending={change.isPending}
      onSubmit={() => {
        change.mutate(quotaRequest(form), { onSuccess: onDone });
      }}
    >
      <Text size="sm">Leave empty for no limit.</Text>
      {QUOTAS.map(({ name, label }) => (
        <NumberInput
          key={name}
          label={label}
          min={0}
          allowDecimal={false}
          thousandSeparator=","
          value={form[name]}
          error={violationAt(change.error, `/${name}`)}
          onChange={(value) => {
            setForm((before) => ({ ...before, [name]: value }));
          }}
        />
      ))}
    </FormBody>
  );
}
