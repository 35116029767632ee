import { useSearch } from "@tanstack/react-router";

/** The project that the address names; undefined where all that the caller may see are meant. */
export function useProjectScope(): string | undefined {
  return useSearch({ strict: false, select: ({ project }) => project });
}
