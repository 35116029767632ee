import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useApi } from "@/api/api-context";
import { answer, type Api } from "@/api/client";
import { ServiceProblem, type Violation } from "@/api/problem";

import { AS_YAML } from "./as-yaml";
import { isReadable, read, type DefinitionText } from "./definition-text";
import { misreadings, placed, type PlacedProblem } from "./problem-places";

/** Pause in typing, in milliseconds, after which the service is asked. */
const PAUSE = 400;

export interface Check {
  readonly document: DefinitionText;
  /** Problems that the page and the service find in the text, as far as the service has seen it. */
  readonly problems: readonly PlacedProblem[];
  /** The number of runs; null until the service has reported it for this text. */
  readonly runs: number | null;
  readonly isReadable: boolean;
  readonly isUnderWay: boolean;
  /** Why the service could not be asked. */
  readonly error: Error | null;
}

type Verdict =
  | { readonly fits: true; readonly runs: number }
  | { readonly fits: false; readonly message: string; readonly violations: readonly Violation[] };

/** Checks the text at the service while it is written. */
export function useCheck(text: string): Check {
  const api = useApi();
  const [settled] = useDebouncedValue(text, PAUSE);
  const document = useMemo(() => read(text), [text]);
  const readable = isReadable(document);
  const isSettled = settled === text;
  const { data, error, isFetching } = useQuery({
    queryKey: ["definition", "check", settled],
    queryFn: ({ signal }) => validate(api, settled, signal),
    enabled: isSettled && readable,
    staleTime: Infinity,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const verdict = isSettled && readable ? data : undefined;
  const problems = useMemo(() => {
    const misread = misreadings(document);
    if (misread.length > 0 || verdict === undefined || verdict.fits) {
      return misread;
    }
    return verdict.violations.length > 0
      ? placed(document, verdict.violations)
      : placed(document, [{ pointer: "", rule: verdict.message, value: null }]);
  }, [document, verdict]);
  return {
    document,
    problems,
    runs: verdict?.fits === true ? verdict.runs : null,
    isReadable: readable,
    isUnderWay: readable && (!isSettled || isFetching),
    error: isSettled ? error : null,
  };
}

/** A rejected definition was checked as well. */
async function validate(api: Api, body: string, signal: AbortSignal): Promise<Verdict> {
  try {
    const call = api.POST("/api/v1/experiments/validate", { body, ...AS_YAML, signal });
    return { fits: true, runs: (await answer(call)).configurations.length };
  } catch (error) {
    if (error instanceof ServiceProblem && (error.status === 400 || error.status === 413)) {
      return { fits: false, message: error.message, violations: error.violations };
    }
    throw error;
  }
}
