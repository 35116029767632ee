import { Button, FileButton, Group, NativeSelect, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { useProjectScope } from "@/shared/project-scope";
import { useProjects } from "@/shared/use-projects";

import { field, read, write } from "./definition-text";
import type { PlanSearch } from "./plan-search";
import { useExperiment, useExperiments, usePreset, usePresets } from "./use-sources";

interface SourceBarProps {
  readonly search: PlanSearch;
  readonly onSource: (source: PlanSearch) => void;
  readonly onFile: (text: string) => void;
}

/** Chooses the source of a definition. */
export function SourceBar({ search, onSource, onFile }: SourceBarProps): ReactNode {
  const [failure, setFailure] = useState<string | null>(null);

  async function open(file: File | null): Promise<void> {
    if (file !== null) {
      try {
        onFile(await file.text());
        setFailure(null);
      } catch {
        setFailure(`${file.name} could not be read.`);
      }
    }
  }

  return (
    <Group px="md" pb="sm" gap="sm" align="flex-end">
      <PresetChoice search={search} onSource={onSource} />
      <ExperimentChoice search={search} onSource={onSource} />
      <FileButton accept=".yaml,.yml,.json" onChange={(file) => void open(file)}>
        {(props) => (
          <Button {...props} size="xs" variant="default">
            Open a file
          </Button>
        )}
      </FileButton>
      {failure !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failure}
        </Text>
      )}
    </Group>
  );
}

type ChoiceProps = Pick<SourceBarProps, "search" | "onSource">;

function PresetChoice({ search, onSource }: ChoiceProps): ReactNode {
  const { preset, scale, part = 1 } = search;
  const { data: presets = [] } = usePresets();
  const { data: scaled } = usePreset(preset, scale);
  const scales = Object.keys(presets.find(({ name }) => name === preset)?.scales ?? {});
  const definitions = scaled?.definitions ?? [];
  return (
    <>
      <NativeSelect
        size="xs"
        label="Preset"
        maw="20rem"
        value={preset ?? ""}
        data={[{ value: "", label: "None" }, ...presets.map(({ name, title }) => ({ value: name, label: title }))]}
        onChange={({ currentTarget: { value } }) => {
          onSource(value === "" ? {} : { preset: value });
        }}
      />
      {preset !== undefined && scales.length > 1 && (
        <NativeSelect
          size="xs"
          label="Scale"
          value={scale ?? scales[0] ?? ""}
          data={scales}
          onChange={({ currentTarget: { value } }) => {
            onSource({ preset, scale: value });
          }}
        />
      )}
      {preset !== undefined && definitions.length > 1 && (
        <NativeSelect
          size="xs"
          label="Definition"
          value={part}
          data={definitions.map((definition, index) => ({
            value: (index + 1).toString(),
            label: nameOf(definition, index),
          }))}
          onChange={({ currentTarget: { value } }) => {
            onSource({ preset, ...(scale !== undefined && { scale }), part: Number(value) });
          }}
        />
      )}
    </>
  );
}

function nameOf(definition: unknown, index: number): string {
  const name = field(read(write(definition)), "name");
  return typeof name === "string" ? name : (index + 1).toString();
}

function ExperimentChoice({ search, onSource }: ChoiceProps): ReactNode {
  const scope = useProjectScope();
  const { data: projects = [] } = useProjects();
  const { data: newest } = useExperiment(search.experiment);
  const project = scope ?? newest?.project ?? (projects.length === 1 ? projects[0]?.id : undefined);
  const { data: experiments = [] } = useExperiments(project);
  const { experiment, version } = search;
  const others = experiments.filter(({ id }) => id !== newest?.id);
  const all = newest === undefined ? others : [newest, ...others];
  return (
    <>
      <NativeSelect
        size="xs"
        label="Experiment"
        maw="16rem"
        {...(project === undefined && { description: "Choose a project above to list its experiments." })}
        value={experiment ?? ""}
        data={[
          { value: "", label: "None" },
          ...all.map((each) => ({ value: each.id, label: `${each.name}, version ${each.version.toString()}` })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          onSource(value === "" ? {} : { experiment: value });
        }}
      />
      {experiment !== undefined && newest !== undefined && newest.version > 1 && (
        <NativeSelect
          size="xs"
          label="Version"
          value={version ?? newest.version}
          data={Array.from({ length: newest.version }, (_, index) => (newest.version - index).toString())}
          onChange={({ currentTarget: { value } }) => {
            const chosen = Number(value);
            onSource({ experiment, ...(chosen !== newest.version && { version: chosen }) });
          }}
        />
      )}
    </>
  );
}
