import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState, type ReactNode } from "react";

import { moment, sentenceCase } from "@/shared/format";
import { useProjectScope } from "@/shared/project-scope";
import { MAX_COMPARED } from "@/shared/run/comparison";
import { runName } from "@/shared/run/run-name";

import { useFound } from "./use-compare";
import { useView } from "./use-view";

const PAUSE = 250;

/** Adds a run, which is searched for by the name of its experiment. */
export function RunPicker(): ReactNode {
  const { view, change } = useView();
  const project = useProjectScope();
  const [written, setWritten] = useState("");
  const [name] = useDebouncedValue(written, PAUSE);
  const found = useFound(name.trim(), project);
  const runs = view.runs ?? [];
  if (runs.length >= MAX_COMPARED) {
    return (
      <Text size="sm" c="dimmed">
        No more than {MAX_COMPARED} runs are compared at once.
      </Text>
    );
  }
  const offered = found.data?.filter(({ id }) => !runs.includes(id)) ?? [];
  return (
    <Select
      size="xs"
      w="20rem"
      aria-label="Add a run"
      placeholder="Add a run by its name"
      searchable
      // An always empty value makes each choice an addition.
      value={null}
      searchValue={written}
      onSearchChange={setWritten}
      data={offered.map((run) => ({
        value: run.id,
        label: `${runName(run)} · ${sentenceCase(run.state)} · ${moment(run.queuedAt)}`,
      }))}
      // The service has already searched.
      filter={({ options }) => options}
      nothingFoundMessage={found.error?.message ?? (found.isFetching ? "Searching…" : "No run matches")}
      onChange={(run) => {
        if (run !== null) {
          change({ runs: [...runs, run] });
          setWritten("");
        }
      }}
    />
  );
}
