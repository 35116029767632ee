import { createContext, use, type ReactNode } from "react";

import type { Api } from "./client";

const ApiContext = createContext<Api | null>(null);

interface ApiProviderProps {
  readonly api: Api;
  readonly children: ReactNode;
}

export function ApiProvider({ api, children }: ApiProviderProps): ReactNode {
  return <ApiContext value={api}>{children}</ApiContext>;
}

export function useApi(): Api {
  const api = use(ApiContext);
  if (api === null) {
    throw new Error("useApi must be called below an ApiProvider");
  }
  return api;
}
