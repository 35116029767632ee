import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Notice } from "./notice";

/** The common parts of single and paginated queries. */
type Read<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "dataUpdatedAt" | "isPending"> & {
  readonly refetch: () => Promise<unknown>;
};

interface QueryViewProps<Data> {
  readonly query: Read<Data>;
  /** The plural name of the data: "runs". */
  readonly what: string;
  /** Renders the data, with the time in milliseconds at which it was read. */
  readonly children: (data: Data, asOf: number) => ReactNode;
}

/** Renders the states that all queries share. Data stays in view when a later request fails. */
export function QueryView<Data>({ query, what, children }: QueryViewProps<Data>): ReactNode {
  const { data, error, dataUpdatedAt, isPending, refetch } = query;
  if (isPending) {
    return (
      <Stack gap="xs" px="md" pt="xs" pb="md" role="status">
        <VisuallyHidden>Loading {what}</VisuallyHidden>
        <Skeleton height={14} width="70%" />
        <Skeleton height={14} width="50%" />
      </Stack>
    );
  }
  return (
    <>
      {error && (
        <Notice
          title={data === undefined ? `The ${what} could not be read` : `The ${what} are not up to date`}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && children(data, dataUpdatedAt)}
    </>
  );
}
