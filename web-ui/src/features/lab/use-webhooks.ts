import { useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer, done } from "@/api/client";
import type { Schemas } from "@/api/schemas";
import { CALM } from "@/shared/polling";
import { useChange } from "@/shared/use-change";

export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["WebhookDelivery"];

type Change<Variables = void, Result = void> = UseMutationResult<Result, Error, Variables>;

/** Deliveries that the page shows. */
const SHOWN = 20;

const WEBHOOKS = ["webhooks"];
const AUDIT = ["audit"];

export function useWebhooks(project: string): UseQueryResult<readonly Webhook[]> {
  const api = useApi();
  return useQuery({
    queryKey: [...WEBHOOKS, project],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/projects/{project}/webhooks", { params: { path: { project } }, signal }))).items,
    refetchInterval: CALM,
  });
}

export function useDeliveries({ project, id }: Webhook): UseQueryResult<readonly Delivery[]> {
  const api = useApi();
  return useQuery({
    queryKey: [...WEBHOOKS, project, id, "deliveries"],
    queryFn: async ({ signal }) =>
      (
        await answer(
          api.GET("/api/v1/projects/{project}/webhooks/{webhook}/deliveries", {
            params: { path: { project, webhook: id }, query: { limit: SHOWN } },
            signal,
          }),
        )
      ).items,
    refetchInterval: CALM,
  });
}

export function useNewWebhook(project: string): Change<Schemas["NewWebhook"], Webhook> {
  return useChange(
    (api, body: Schemas["NewWebhook"]) =>
      answer(api.POST("/api/v1/projects/{project}/webhooks", { params: { path: { project } }, body })),
    WEBHOOKS,
    AUDIT,
  );
}

/** Enables or disables a webhook. */
export function useSwitch({ project, id, enabled }: Webhook): Change<void, Webhook> {
  return useChange(
    (api) =>
      answer(
        api.PATCH("/api/v1/projects/{project}/webhooks/{webhook}", {
          params: { path: { project, webhook: id } },
          body: { enabled: !enabled },
        }),
      ),
    WEBHOOKS,
    AUDIT,
  );
}

export function usePing({ project, id }: Webhook): Change<void, Delivery> {
  return useChange(
    (api) =>
      answer(
        api.POST("/api/v1/projects/{project}/webhooks/{webhook}/ping", { params: { path: { project, webhook: id } } }),
      ),
    WEBHOOKS,
    AUDIT,
  );
}

export function useResend({ project, id }: Webhook): Change<string, Delivery> {
  return useChange(
    (api, delivery: string) =>
      answer(
        api.POST("/api/v1/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/resend", {
          params: { path: { project, webhook: id, delivery } },
        }),
      ),
    WEBHOOKS,
    AUDIT,
  );
}

export function useWebhookDeletion({ project, id }: Webhook): Change {
  return useChange(
    (api) =>
      done(api.DELETE("/api/v1/projects/{project}/webhooks/{webhook}", { params: { path: { project, webhook: id } } })),
    WEBHOOKS,
    AUDIT,
  );
}
