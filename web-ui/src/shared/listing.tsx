import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { QueryView } from "./query-view";

interface ListingProps<Item> {
  readonly query: UseQueryResult<readonly Item[]>;
  readonly what: string;
  /** Shown while the list is empty. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[], asOf: number) => ReactNode;
}

/** A list that may be empty. */
export function Listing<Item>({ query, what, empty, children }: ListingProps<Item>): ReactNode {
  return (
    <QueryView query={query} what={what}>
      {(items, asOf) =>
        items.length === 0 ? (
          <Text c="dimmed" size="sm" px="md" pb="md">
            {empty}
          </Text>
        ) : (
          children(items, asOf)
        )
      }
    </QueryView>
  );
}
