import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { useApi } from "@/api/api-context";

import { Keys, submit, type Order } from "./submission";

interface Submission {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly submit: (order: Order) => void;
}

/** Saves an experiment, and opens its queued runs or reports that it is saved without runs. */
export function useSubmission(onSaved: (experiment: string, tag: string | null) => void): Submission {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [keys] = useState(() => new Keys());
  const { mutate, isPending, error } = useMutation({
    mutationFn: (order: Order) => submit(api, order, keys),
    onSuccess({ experiment, tag, runs }) {
      const [first, ...others] = runs;
      if (first === undefined) {
        onSaved(experiment, tag);
        return;
      }
      keys.clear();
      void queries.invalidateQueries({ queryKey: ["runs"] });
      void (others.length === 0
        ? navigate({ to: "/runs/$run", params: { run: first.id } })
        : navigate({ to: "/runs", search: { experiment } }));
    },
    // A rejection may also mean that someone else has changed the experiment.
    onSettled() {
      void queries.invalidateQueries({ queryKey: ["experiments"] });
      void queries.invalidateQueries({ queryKey: ["experiment"] });
    },
  });
  return {
    isPending,
    error,
    submit: (order) => {
      if (!isPending) {
        mutate(order);
      }
    },
  };
}
