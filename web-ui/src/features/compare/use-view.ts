import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

import type { CompareSearch } from "./compare-search";

export interface View {
  readonly view: CompareSearch;
  readonly change: (changed: Partial<CompareSearch>) => void;
}

/** What the address says of the comparison, and how to have it say something else. */
export function useView(): View {
  const view = useSearch({ from: "/compare" });
  const navigate = useNavigate({ from: "/compare" });
  const change = useCallback(
    (changed: Partial<CompareSearch>) =>
      void navigate({ search: (before) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
  return { view, change };
}
