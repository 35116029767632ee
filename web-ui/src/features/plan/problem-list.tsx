import { Text, UnstyledButton } from "@mantine/core";
import type { ReactNode, Ref } from "react";

import type { Check } from "./use-check";

import classes from "./plan-page.module.css";

interface ProblemListProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly check: Check;
  readonly text: string;
  readonly onChoose: (position: number) => void;
}

/** Lists problems line by line. It has a fixed height, so that nothing below it moves. */
export function ProblemList({ ref, check, text, onChoose }: ProblemListProps): ReactNode {
  const { problems } = check;
  return (
    <div ref={ref} className={classes.problems} tabIndex={-1} role="status" aria-label="Check of the definition">
      {problems.length === 0 ? (
        <Text size="sm" c="dimmed">
          {verdict(check, text)}
        </Text>
      ) : (
        <ul>
          {problems.map(({ from, message }) => (
            <li key={`${from.toString()} ${message}`}>
              <UnstyledButton
                fz="sm"
                c="var(--mantine-color-error)"
                onClick={() => {
                  onChoose(from);
                }}
              >
                Line {lineOf(text, from).toString()}: {message}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function verdict({ runs, isUnderWay }: Check, text: string): string {
  if (text.trim() === "") {
    return "Choose a preset or an experiment, open a file, or write a definition. Ctrl+Space completes, F1 describes the field at the cursor, Escape leaves the text.";
  }
  if (isUnderWay) {
    return "The service is checking the definition…";
  }
  return runs === null ? "The definition is not checked." : `The definition is valid and expands to ${count(runs)}.`;
}

export function count(runs: number): string {
  return runs === 1 ? "1 run" : `${runs.toLocaleString("en")} runs`;
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
