import { Button, Group, NativeSelect, NumberInput, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useState, type ReactNode } from "react";

import { isOutrun } from "@/api/problem";
import { useProjectScope } from "@/shared/project-scope";
import { useRights } from "@/shared/rights";
import { useProjects } from "@/shared/use-projects";

import { withField } from "./definition-text";
import { count } from "./problem-list";
import { Rejection } from "./rejection";
import type { Place } from "./submission";
import { fieldsOf, seedsOf } from "./submit-fields";
import type { Check } from "./use-check";
import type { LoadedExperiment } from "./use-sources";
import { useSubmission } from "./use-submission";

interface SubmitFormProps {
  readonly text: string;
  readonly check: Check;
  /** The experiment that is the source of the definition. */
  readonly experiment: LoadedExperiment | undefined;
  /** The state of the experiment from which the definition began. */
  readonly tag: string | null;
  readonly onChange: (text: string) => void;
  readonly onSaved: (experiment: string, tag: string | null) => void;
}

type Keeping = Place["kind"];

/** Saves the definition as an experiment, and queues its runs. */
export function SubmitForm({ text, check, experiment, tag, onChange, onSaved }: SubmitFormProps): ReactNode {
  const rights = useRights();
  const scope = useProjectScope();
  const { data: all = [] } = useProjects();
  const submission = useSubmission(onSaved);
  const [keeping, setKeeping] = useState<Keeping | null>(null);
  const [given, setGiven] = useState<string | null>(null);
  const [tags, setTags] = useState<readonly string[]>([]);

  const projects = all.filter(({ id }) => rights.has("editor", id));
  const wanted = given ?? scope ?? experiment?.project;
  const project = projects.find(({ id }) => id === wanted) ?? projects[0];
  const mayChange = experiment !== undefined && rights.has("editor", experiment.project);
  const place: Place | null =
    mayChange && keeping !== "new"
      ? { kind: "next", experiment: experiment.id, tag }
      : project === undefined
        ? null
        : { kind: "new", project: project.id };
  const isReady = check.isReadable && check.problems.length === 0 && place !== null && !submission.isPending;
  const fields = fieldsOf(check.document);

  function send(queues: boolean): void {
    if (isReady) {
      submission.submit({ text, place, tags, queues });
    }
  }

  function change(name: string, value: unknown): void {
    onChange(withField(text, name, value));
  }

  useHotkeys(
    [
      [
        "mod+Enter",
        () => {
          send(true);
        },
      ],
    ],
    [],
    true,
  );

  if (place === null) {
    return (
      <Text size="sm" px="md" pb="md">
        Queuing runs requires the role editor in a project. A project owner can grant it.
      </Text>
    );
  }
  return (
    <Stack px="md" pb="md" gap="sm">
      <Group align="flex-start" gap="sm">
        {mayChange && (
          <NativeSelect
            size="xs"
            label="Save as"
            value={place.kind}
            data={[
              { value: "next", label: `Next version of ${experiment.name}` },
              { value: "new", label: "New experiment" },
            ]}
            onChange={({ currentTarget: { value } }) => {
              setKeeping(value as Keeping);
            }}
          />
        )}
        {place.kind === "new" && (
          <NativeSelect
            size="xs"
            label="Project"
            value={place.project}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ currentTarget: { value } }) => {
              setGiven(value);
            }}
          />
        )}
        <TextInput
          size="xs"
          label="Name of the experiment"
          value={fields.name}
          disabled={!check.isReadable || place.kind === "next"}
          onChange={({ currentTarget: { value } }) => {
            change("name", value);
          }}
        />
        <NumberInput
          size="xs"
          w="7rem"
          label="Priority"
          allowDecimal={false}
          placeholder="0"
          value={fields.priority ?? ""}
          disabled={!check.isReadable}
          onChange={(value) => {
            change("priority", typeof value === "number" ? value : undefined);
          }}
        />
        <TagsInput
          size="xs"
          w="14rem"
          label="Seeds"
          description="One run for each"
          splitChars={[",", " "]}
          value={[...fields.seeds]}
          disabled={!check.isReadable}
          onChange={(words) => {
            change("seeds", seedsOf(words));
          }}
        />
        <TagsInput size="xs" w="14rem" label="Tags" description="For all runs" value={[...tags]} onChange={setTags} />
      </Group>
      {submission.error && <Rejection title="The submission is incomplete" error={submission.error} />}
      {isOutrun(submission.error) && (
        <Text size="sm">
          To start from its newest version, choose None and then the experiment again. To keep this text, save it as a
          new experiment.
        </Text>
      )}
      <Group gap="xs">
        <Button
          disabled={!isReady}
          loading={submission.isPending}
          aria-keyshortcuts="Control+Enter"
          onClick={() => {
            send(true);
          }}
        >
          {check.runs === null ? "Queue" : `Queue ${count(check.runs)}`}
        </Button>
        <Button
          variant="default"
          disabled={!isReady}
          onClick={() => {
            send(false);
          }}
        >
          Save without runs
        </Button>
        <Text size="xs" c="dimmed">
          Ctrl+Enter queues.
        </Text>
      </Group>
    </Stack>
  );
}
