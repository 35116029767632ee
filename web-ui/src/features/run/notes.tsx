import { Button, Group, Stack, Tabs, Text, Textarea } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { DialogButton } from "@/shared/dialog-button";
import { moment } from "@/shared/format";
import { Markdown } from "@/shared/markdown";
import { Notice } from "@/shared/notice";
import { useRights } from "@/shared/rights";
import { Section } from "@/shared/section";
import { violationAt } from "@/shared/violations";

import { bytesOf, MAX_NOTES_BYTES, useNotesChange } from "./use-notes";

interface NotesProps {
  readonly run: Run;
}

/** The notes of a run, and for editors a dialog to write them. */
export function Notes({ run }: NotesProps): ReactNode {
  const { has } = useRights();
  const mayEdit = has("editor", run.project);
  const { notes } = run;
  if (notes == null && !mayEdit) {
    return null;
  }
  const label = notes == null ? "Add notes" : "Edit the notes";
  return (
    <Section title="Notes" actions={mayEdit ? <EditButton run={run} label={label} /> : undefined}>
      <Stack px="md" pb="md" gap="xs">
        {notes == null ? (
          <Text size="sm" c="dimmed">
            There are no notes yet.
          </Text>
        ) : (
          <>
            <Markdown text={notes.text} />
            <Text size="xs" c="dimmed">
              {notes.author}, {moment(notes.writtenAt)}
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}

function EditButton({ run, label }: NotesProps & { readonly label: string }): ReactNode {
  return (
    <DialogButton label={label} title="Notes of the run" variant="default">
      {(close) => <Editor run={run} onDone={close} />}
    </DialogButton>
  );
}

type View = "write" | "preview";

function Editor({ run, onDone }: NotesProps & { readonly onDone: () => void }): ReactNode {
  // The notes that the author sees; newer ones of somebody else must not be overwritten.
  const [seen] = useState(run.notes);
  const [text, setText] = useState(seen?.text ?? "");
  const [view, setView] = useState<View>("write");
  const change = useNotesChange(run.id);
  const isTooLong = bytesOf(text) > MAX_NOTES_BYTES;
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ text, seen }, { onSuccess: onDone });
      }}
    >
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(chosen) => {
          setView(chosen as View);
        }}
      >
        <Tabs.List>
          <Tabs.Tab value="write">Write</Tabs.Tab>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="write" pt="sm">
          <Textarea
            label="Text"
            description="Markdown; leave empty to delete the notes"
            autosize
            minRows={8}
            maxRows={24}
            data-autofocus
            value={text}
            error={
              isTooLong
                ? `At most ${MAX_NOTES_BYTES.toLocaleString("en")} bytes; these are ${bytesOf(text).toLocaleString("en")}.`
                : violationAt(change.error, "/notes")
            }
            onChange={(event) => {
              setText(event.currentTarget.value);
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt="sm">
          <Markdown text={text} />
        </Tabs.Panel>
      </Tabs>
      {change.error && <Notice title="The notes were not saved" error={change.error} />}
      <Group justify="flex-end">
        <Button type="submit" loading={change.isPending} disabled={isTooLong}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}
