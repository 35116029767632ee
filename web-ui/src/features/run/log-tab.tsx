import { Button, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run, Schemas } from "@/api/schemas";
import { Notice } from "@/shared/notice";
import { Section } from "@/shared/section";

import classes from "./log-tab.module.css";

const PAGE = 200;
const CLOCK = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });

interface LogTabProps {
  readonly run: Run;
}

/** What happened to the run from its beginning, for people. */
export function LogTab({ run }: LogTabProps): ReactNode {
  const api = useApi();
  const log = useInfiniteQuery({
    queryKey: ["log", run.id],
    queryFn: ({ signal, pageParam }) =>
      answer(
        api.GET("/api/v1/runs/{id}/log", {
          params: { path: { id: run.id }, query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
          headers: { Accept: "application/json" },
          signal,
        }),
      ) as Promise<Schemas["LogPage"]>,
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const lines = log.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Section title="Log" count={lines.length}>
      {log.error && <Notice title="The log could not be read" error={log.error} onRetry={() => void log.refetch()} />}
      <ol className={classes.log}>
        {lines.map(({ id, at, rank, worker, text }) => (
          <li key={id}>
            <time dateTime={at} title={at}>
              {CLOCK.format(new Date(at))}
            </time>
            <span>{rank === null ? "service" : `rank ${rank.toString()}${worker === null ? "" : ` (${worker})`}`}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      {!log.isPending && lines.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing has happened yet.
        </Text>
      )}
      {log.hasNextPage && (
        <Button
          m="md"
          size="xs"
          variant="default"
          loading={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          Read on
        </Button>
      )}
    </Section>
  );
}
