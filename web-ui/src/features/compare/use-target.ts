import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";

import type { Schemas } from "@/api/schemas";

import { commonTarget } from "./pareto";
import { useComparison } from "./use-compare";
import { useView } from "./use-view";

export interface Targeted {
  /** What the address says, or else what all runs reach; undefined while no run was looked at. */
  readonly target: number | undefined;
  readonly usual: number | undefined;
  /** The figures until then. */
  readonly query: UseQueryResult<Schemas["Comparison"]>;
}

/** The time and the bytes until a target are counted by the service, which is asked for them once it is known. */
export function useTarget(comparison: Schemas["Comparison"], isLive: boolean): Targeted {
  const { view } = useView();
  const usual = useMemo(
    () => commonTarget(comparison.runs.map(({ curve }) => curve.map(({ testAccuracy }) => testAccuracy))),
    [comparison],
  );
  const runs = useMemo(() => comparison.runs.map(({ run }) => run), [comparison]);
  const target = view.target ?? usual;
  const query = useComparison(runs, target, isLive);
  return { target, usual, query };
}
