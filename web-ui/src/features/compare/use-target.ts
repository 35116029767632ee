import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";

import type { Schemas } from "@/api/schemas";

import { commonTarget } from "./pareto";
import { useComparison } from "./use-compare";
import { useView } from "./use-view";

export interface Targeted {
  /** The target in the address, or else the default target. */
  readonly target: number | undefined;
  /** The target that all runs reach; undefined while no run was evaluated. */
  readonly defaultTarget: number | undefined;
  /** The figures to the target. */
  readonly query: UseQueryResult<Schemas["Comparison"]>;
}

/** The service computes time and bytes to a target, and is asked once the target is known. */
export function useTarget(comparison: Schemas["Comparison"], isLive: boolean, line?: string): Targeted {
  const { view } = useView();
  const defaultTarget = useMemo(() => {
    const accuracy = comparison.compared === "replicas" ? "replicaAccuracy" : "testAccuracy";
    return commonTarget(comparison.runs.map(({ curve }) => curve.map((point) => point[accuracy])));
  }, [comparison]);
  const runs = useMemo(() => comparison.runs.map(({ run }) => run), [comparison]);
  const target = view.target ?? defaultTarget;
  const query = useComparison(runs, target, isLive, line);
  return { target, defaultTarget, query };
}
