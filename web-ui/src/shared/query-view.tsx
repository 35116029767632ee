import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Notice } from "./notice";

/** What queries of one answer and of many pages have in common. */
type Read<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "dataUpdatedAt" | "isPending"> & {
  readonly refetch: () => Promise<unknown>;
};

interface QueryViewProps<Data> {
  readonly query: Read<Data>;
  /** What is read, in the plural: "runs". */
  readonly what: string;
  /** Draws what came, and when it came in milliseconds. */
  readonly children: (data: Data, asOf: number) => ReactNode;
}

/** The states that every query has in common. What was read once stays in view when a later reading fails. */
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
