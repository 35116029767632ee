import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import { ServiceProblem } from "@/api/problem";
import type { ExperimentSummary, Schemas } from "@/api/schemas";

import { DefinitionSchema, type Schema } from "./definition-schema";
import { write } from "./definition-text";
import { sourceOf, type PlanSearch } from "./plan-search";

/** Built-in data does not change while the service runs. */
const CONSTANT = { staleTime: Infinity } as const;

export function usePresets(): UseQueryResult<readonly Schemas["Preset"][]> {
  const api = useApi();
  return useQuery({
    queryKey: ["presets"],
    queryFn: async ({ signal }) => (await answer(api.GET("/api/v1/presets", { signal }))).items,
    ...CONSTANT,
  });
}

/** The newest experiments of a project, limited to one page. */
export function useExperiments(project: string | undefined): UseQueryResult<readonly ExperimentSummary[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["experiments", project],
    queryFn: async ({ signal }) =>
      (
        await answer(
          api.GET("/api/v1/projects/{project}/experiments", {
            params: { path: { project: project ?? "" }, query: { limit: 500 } },
            signal,
          }),
        )
      ).items,
    enabled: project !== undefined,
  });
}

export interface LoadedExperiment extends Pick<ExperimentSummary, "id" | "name" | "project" | "version"> {
  readonly definition: unknown;
  /** The state that was read. */
  readonly tag: string | null;
}

/** Reads the newest version of an experiment, or an earlier one. */
export function useExperiment(id: string | undefined, version?: number): UseQueryResult<LoadedExperiment> {
  const api = useApi();
  return useQuery({
    queryKey: ["experiment", id, version ?? "newest"],
    queryFn: async ({ signal }) => {
      const call = api.GET("/api/v1/experiments/{id}", {
        params: { path: { id: id ?? "" }, ...(version !== undefined && { query: { version } }) },
        signal,
      });
      return { ...(await answer(call)), tag: (await call).response.headers.get("ETag") };
    },
    enabled: id !== undefined,
    refetchOnWindowFocus: false,
  });
}

export function usePreset(
  name: string | undefined,
  scale: string | undefined,
): UseQueryResult<Schemas["ScaledPreset"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["preset", name, scale],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/presets/{name}", {
          params: { path: { name: name ?? "" }, ...(scale !== undefined && { query: { scale } }) },
          signal,
        }),
      ),
    enabled: name !== undefined,
    ...CONSTANT,
  });
}

export interface Loaded {
  readonly source: string;
  readonly text: string;
  /** The state of the experiment that was read; null without an experiment. */
  readonly tag: string | null;
}

interface Source {
  readonly loaded: Loaded | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly readAnew: () => void;
}

/** Reads the definition that the address names. */
export function useSource(search: PlanSearch): Source {
  const experiment = useExperiment(search.experiment, search.version);
  const newest = useExperiment(search.experiment);
  const preset = usePreset(search.experiment === undefined ? search.preset : undefined, search.scale);
  const source = sourceOf(search);
  const query = search.experiment === undefined ? preset : experiment;
  const part = search.part ?? 1;
  const definition: unknown =
    search.experiment === undefined ? preset.data?.definitions[part - 1] : newest.data && experiment.data?.definition;
  const isMissing = preset.data !== undefined && definition === undefined && search.experiment === undefined;
  return {
    loaded:
      source === null || definition === undefined
        ? null
        : { source, text: write(definition), tag: newest.data?.tag ?? null },
    error: isMissing ? new ServiceProblem(404, `The preset has no definition ${part.toString()}.`) : query.error,
    isLoading: query.isLoading,
    readAnew: () => void query.refetch(),
  };
}

/** The schema of definitions; null until it is read. */
export function useSchema(): DefinitionSchema | null {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["schema"],
    queryFn: async ({ signal }) =>
      new DefinitionSchema((await answer(api.GET("/api/v1/schema/definition", { signal }))) as Schema),
    ...CONSTANT,
  });
  return data ?? null;
}
