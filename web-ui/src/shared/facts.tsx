import type { ReactNode } from "react";

import classes from "./facts.module.css";

interface FactsProps {
  /** Pairs of a term and its value; pairs without a value are omitted. */
  readonly of: readonly (readonly [term: string, value: ReactNode])[];
}

export function Facts({ of }: FactsProps): ReactNode {
  return (
    <dl className={classes.facts}>
      {of
        .filter(([, value]) => value != null)
        .map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
