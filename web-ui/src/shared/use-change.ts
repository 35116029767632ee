import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import type { Api } from "@/api/client";

/** Changes something at the service, and then reads the queries with these keys again. */
export function useChange<Variables = void, Result = void>(
  perform: (api: Api, variables: Variables) => Promise<Result>,
  ...keys: readonly QueryKey[]
): UseMutationResult<Result, Error, Variables> {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => perform(api, variables),
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
