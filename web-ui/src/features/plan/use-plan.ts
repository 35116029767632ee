import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Schemas } from "@/api/schemas";

import { AS_YAML } from "./as-yaml";
import { planRequest, withSettings } from "./definition-text";
import type { RankedEntry } from "./ranking-order";

export interface Planning {
  readonly plan: Schemas["Plan"] | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly ask: () => void;
  /** The rank of the entry whose settings the text has. */
  readonly chosen: number | null;
  /** Applies the settings of an entry to the text; null if the text has changed since the plan. */
  readonly choose: ((entry: RankedEntry) => void) | null;
}

interface Choice {
  readonly rank: number;
  readonly text: string;
}

/** Predicts the definition and ranks alternatives. */
export function usePlan(text: string, target: number | undefined, onChange: (text: string) => void): Planning {
  const api = useApi();
  const [choice, setChoice] = useState<Choice | null>(null);
  const planned = useMutation({
    mutationFn: async (basis: string) => ({
      basis,
      plan: await answer(api.POST("/api/v1/plans", { body: planRequest(basis, target), ...AS_YAML })),
    }),
    onMutate: () => {
      setChoice(null);
    },
  });
  const basis = planned.data?.basis;
  const isCurrent = basis !== undefined && (text === basis || text === choice?.text);
  return {
    plan: planned.data?.plan,
    isPending: planned.isPending,
    error: planned.error,
    ask: () => {
      planned.mutate(text);
    },
    chosen: choice !== null && text === choice.text ? choice.rank : null,
    choose: isCurrent
      ? ({ rank, settings }) => {
          const taken = withSettings(basis, settings);
          setChoice({ rank, text: taken });
          onChange(taken);
        }
      : null,
  };
}
