import { Button, Group, Modal, MultiSelect, NativeSelect, NumberInput, Select, Stack, TagsInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Worker } from "@/api/schemas";
import { Notice } from "@/shared/notice";

import { EMPTY, profileRequest, type ProfileForm as Form } from "./profile-request";
import { useNewProfile } from "./use-changes";
import { useNetworkNames, useWorkers } from "./use-workers";

interface ProfileFormProps {
  readonly worker: Worker;
}

/** Requests a profile of the worker. */
export function NewProfile({ worker }: ProfileFormProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
  };
  return (
    <>
      <Button
        size="xs"
        onClick={() => {
          setOpen(true);
        }}
      >
        Measure a profile
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Profile of ${worker.name}`}>
        {isOpen && <ProfileForm worker={worker} onDone={close} />}
      </Modal>
    </>
  );
}

function ProfileForm({ worker, onDone }: ProfileFormProps & { readonly onDone: () => void }): ReactNode {
  const [form, setForm] = useState<Form>(EMPTY);
  const networks = useNetworkNames();
  const workers = useWorkers();
  const mutation = useNewProfile(worker.id);
  const body = profileRequest(form);
  const change = (changed: Partial<Form>): void => {
    setForm((before) => ({ ...before, ...changed }));
  };
  const neighbors = (workers.data ?? []).filter(
    ({ id, host, state }) => id !== worker.id && host.name === worker.host.name && state !== "LEFT" && state !== "LOST",
  );
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== null) {
          mutation.mutate(body, { onSuccess: onDone });
        }
      }}
    >
      {networks.error && <Notice title="The networks could not be read" error={networks.error} />}
      <Select
        label="Network"
        required
        searchable
        openOnFocus={false}
        data={[...(networks.data ?? [])]}
        value={form.network || null}
        onChange={(network) => {
          change({ network: network ?? "" });
        }}
        data-autofocus
      />
      <NativeSelect
        label="Mini-batches"
        data={[
          { value: "default", label: "Default sizes" },
          { value: "fixed", label: "Fixed sizes" },
          { value: "adaptive", label: "Adaptive" },
        ]}
        value={form.points}
        onChange={(event) => {
          change({ points: event.currentTarget.value as Form["points"] });
        }}
      />
      {form.points === "fixed" && (
        <TagsInput
          label="Sizes"
          description="Whole numbers; press Enter after each"
          required
          value={[...form.sizes]}
          onChange={(sizes) => {
            change({ sizes });
          }}
        />
      )}
      {form.points === "adaptive" && (
        <Group grow align="flex-end">
          {ADAPTIVE.map(({ name, label, ...rest }) => (
            <NumberInput
              key={name}
              label={label}
              required
              {...rest}
              value={form[name]}
              onChange={(value) => {
                change({ [name]: value });
              }}
            />
          ))}
        </Group>
      )}
      <MultiSelect
        label="Co-located workers"
        description="Workers on the same host that measure at the same time"
        data={neighbors.map(({ id, name }) => ({ value: id, label: name }))}
        disabled={neighbors.length === 0}
        value={[...form.company]}
        onChange={(company) => {
          change({ company });
        }}
      />
      {mutation.error && <Notice title="The request was rejected" error={mutation.error} />}
      <Group justify="flex-end">
        <Button type="submit" disabled={body === null} loading={mutation.isPending}>
          Measure
        </Button>
      </Group>
    </Stack>
  );
}

const ADAPTIVE = [
  { name: "from", label: "From", allowDecimal: false },
  { name: "to", label: "To", allowDecimal: false },
  { name: "accuracyPercent", label: "Tolerance", suffix: " %" },
  { name: "most", label: "Points at most", allowDecimal: false },
] as const;
