import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useApi } from "@/api/api-context";
import { answer, type Api } from "@/api/client";
import { ServiceProblem, type Violation } from "@/api/problem";

import { AS_YAML } from "./as-yaml";
import { isReadable, read, type DefinitionText } from "./definition-text";
import { misreadings, placed, type PlacedProblem } from "./problem-places";

/** How long nobody types before the service is asked. */
const PAUSE = 400;

export interface Check {
  readonly document: DefinitionText;
  /** What the page and the service find wrong with the text, as far as the service has seen it. */
  readonly problems: readonly PlacedProblem[];
  /** For how many runs it stands; null where the service has not said so of this text. */
  readonly runs: number | null;
  readonly isReadable: boolean;
  readonly isUnderWay: boolean;
  /** Why the service could not be asked. */
  readonly error: Error | null;
}

type Verdict =
  | { readonly fits: true; readonly runs: number }
  | { readonly fits: false; readonly message: string; readonly violations: readonly Violation[] };

/** Has the service check the text while it is written. */
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

/** A definition that is refused was checked all the same. */
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
