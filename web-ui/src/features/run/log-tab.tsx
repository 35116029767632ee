import { Button, Text } from "@mantine/core";
import { useLayoutEffect, useRef, type ReactNode } from "react";

import type { Run, Schemas } from "@/api/schemas";
import { Notice } from "@/shared/notice";
import { QueryView } from "@/shared/query-view";
import { Section } from "@/shared/section";

import type { LogLines } from "./log-lines";
import classes from "./log-tab.module.css";
import { useEarlierLog, useLog } from "./use-log";

/** Distance from the end, in pixels, within which the view follows the log. */
const NEAR = 24;

const CLOCK = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });

interface LogTabProps {
  readonly run: Run;
}

/** The log of a run. */
export function LogTab({ run }: LogTabProps): ReactNode {
  const log = useLog(run.id);
  const earlier = useEarlierLog(run.id);
  return (
    <Section title="Log">
      <QueryView query={log} what="lines of the log">
        {(known) => (
          <>
            {earlier.error && <Notice title="The earlier lines could not be read" error={earlier.error} />}
            {known.earlier !== null && (
              <Button
                mx="md"
                mb="xs"
                size="xs"
                variant="default"
                loading={earlier.isPending}
                onClick={() => {
                  earlier.mutate();
                }}
              >
                Earlier lines
              </Button>
            )}
            <Lines known={known} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

/** A reader at the end stays at the end; a reader further up is not moved by new or earlier lines. */
function Lines({ known: { lines } }: { readonly known: LogLines }): ReactNode {
  const box = useRef<HTMLOListElement>(null);
  const seen = useRef({ first: lines[0]?.id, height: 0, isAtEnd: true });

  useLayoutEffect(() => {
    const list = box.current;
    if (list === null) {
      return;
    }
    const { first, height, isAtEnd } = seen.current;
    if (isAtEnd) {
      list.scrollTop = list.scrollHeight;
    } else if (lines[0]?.id !== first) {
      list.scrollTop += list.scrollHeight - height;
    }
    seen.current = { first: lines[0]?.id, height: list.scrollHeight, isAtEnd };
  }, [lines]);

  return lines.length === 0 ? (
    <Text size="sm" c="dimmed" px="md" pb="md">
      The log is empty so far.
    </Text>
  ) : (
    <ol
      ref={box}
      className={classes.log}
      aria-label="Lines of the log"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        seen.current.isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
      }}
    >
      {lines.map((line) => (
        <Line key={line.id} {...line} />
      ))}
    </ol>
  );
}

function Line({ at, rank, worker, text }: Schemas["LogLine"]): ReactNode {
  return (
    <li>
      <time dateTime={at} title={at}>
        {CLOCK.format(new Date(at))}
      </time>
      <span>{rank === null ? "service" : `rank ${rank.toString()}${worker === null ? "" : ` (${worker})`}`}</span>
      <span>{text}</span>
    </li>
  );
}
