import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

import { isUnauthorized } from "@/api/problem";

/** Hands a refused token over, wherever it is noticed. */
export function createQueryClient(onUnauthorized: (reason: string) => void): QueryClient {
  const onError = (error: Error): void => {
    if (isUnauthorized(error)) {
      onUnauthorized(error.message);
    }
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Looking again at the next interval is retry enough; and a lab may well work without the internet.
      queries: { retry: false, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
