import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

import type { CompareSearch } from "./compare-search";

export interface View {
  readonly view: CompareSearch;
  readonly change: (changed: Partial<CompareSearch>) => void;
}

/** The view in the address, and a function to change it. */
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
