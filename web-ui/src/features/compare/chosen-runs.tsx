import { ActionIcon, Badge, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { usePalette } from "@/shared/chart/palette";
import { AnchorLink } from "@/shared/links";
import { Notice } from "@/shared/notice";
import { STATE_COLORS } from "@/shared/run/run-states";
import { StateBadge } from "@/shared/state-badge";

import classes from "./chosen-runs.module.css";
import { lookOf } from "./looks";
import type { RunGroup, Subject } from "./subjects";
import { useView } from "./use-view";

const GONE = new Error("They do not exist, or you may not see them.");

interface ChosenRunsProps {
  readonly runs: readonly string[];
  readonly loaded: UseQueryResult<Schemas["ComparedSubjects"]>;
  readonly subjects: readonly Subject[];
  readonly groups: readonly RunGroup[];
}

/** The compared runs in the colors of their lines, with buttons to remove them. */
export function ChosenRuns({ runs, loaded, subjects, groups }: ChosenRunsProps): ReactNode {
  const { change } = useView();
  const palette = usePalette();
  const byId = useMemo(() => new Map(subjects.map((subject) => [subject.id, subject])), [subjects]);
  const isRead = loaded.isError || (loaded.isSuccess && !loaded.isPlaceholderData);
  const isMissing = loaded.isSuccess && isRead && runs.some((id) => !byId.has(id));
  return (
    <>
      {loaded.error && <Notice title="The runs could not be read" error={loaded.error} />}
      {isMissing && <Notice title="Some runs could not be read" error={GONE} />}
      <ul className={classes.runs} aria-label="Compared runs">
        {runs.map((id, index) => {
          const subject = byId.get(id);
          const name = subject?.name ?? id;
          const group = groups.findIndex((each) => each.runs.includes(id));
          return (
            <li key={id} className={classes.run}>
              {group >= 0 && <Mark {...lookOf(palette, group)} />}
              {subject ? (
                <>
                  <AnchorLink to="/runs/$run" params={{ run: id }} size="sm">
                    {name}
                  </AnchorLink>
                  <StateBadge state={subject.state} color={STATE_COLORS[subject.state]} />
                </>
              ) : (
                <Text size="sm" c="dimmed">
                  {isRead ? `${name} cannot be read` : "Reading…"}
                </Text>
              )}
              {index === 0 ? (
                <Badge variant="default" tt="none" fw={500} radius="sm">
                  Baseline
                </Badge>
              ) : (
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={`Make ${name} the baseline`}
                  title="Make it the baseline"
                  onClick={() => {
                    change({ runs: [id, ...runs.filter((each) => each !== id)] });
                  }}
                >
                  <svg
                    viewBox="0 0 16 16"
                    width={12}
                    height={12}
                    aria-hidden
                    fill="none"
                    stroke="currentColor"
                    strokeWidth={1.5}
                  >
                    <path d="M3 2h10M8 14V5m-3 3 3-3 3 3" />
                  </svg>
                </ActionIcon>
              )}
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={`Remove ${name}`}
                onClick={() => {
                  const left = runs.filter((each) => each !== id);
                  change({ runs: left.length === 0 ? undefined : left });
                }}
              >
                <svg
                  viewBox="0 0 16 16"
                  width={12}
                  height={12}
                  aria-hidden
                  fill="none"
                  stroke="currentColor"
                  strokeWidth={1.5}
                >
                  <path d="m3 3 10 10M13 3 3 13" />
                </svg>
              </ActionIcon>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The color of a line, hollow for a dashed line. */
function Mark({ color, isDashed }: ReturnType<typeof lookOf>): ReactNode {
  return (
    <svg
      viewBox="0 0 12 12"
      width={12}
      height={12}
      aria-hidden
      fill={isDashed ? "none" : color}
      stroke={color}
      strokeWidth={2}
    >
      <circle cx={6} cy={6} r={4.5} strokeDasharray={isDashed ? "3 2" : undefined} />
    </svg>
  );
}
