import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

import { isUnauthorized } from "@/api/problem";

/** Reports an unauthorized credential, whichever query finds it. */
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
      // The next poll is retry enough; and a lab may work without the Internet.
      queries: { retry: false, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
