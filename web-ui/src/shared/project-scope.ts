import { useSearch } from "@tanstack/react-router";

/** Returns the project in the address; undefined for all projects that the caller may see. */
export function useProjectScope(): string | undefined {
  return useSearch({ strict: false, select: ({ project }) => project });
}
