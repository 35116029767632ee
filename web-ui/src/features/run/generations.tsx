import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run, Schemas } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { moment, NONE } from "@/shared/format";
import { AnchorLink } from "@/shared/links";
import { QueryView } from "@/shared/query-view";
import { setting } from "@/shared/run/configuration";
import { Section } from "@/shared/section";

interface GenerationsProps {
  readonly run: Run;
}

/** The ranks of each generation, with the profiles behind their shares. */
export function Generations({ run }: GenerationsProps): ReactNode {
  const api = useApi();
  const placements = useInfiniteQuery({
    // Changes with each generation.
    queryKey: ["placements", run.id, run.generation],
    queryFn: ({ signal, pageParam }) => {
      const params = { path: { id: run.id }, query: { cursor: pageParam } };
      return answer(api.GET("/api/v1/runs/{id}/placements", { params, signal }));
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const columns = useMemo(() => columnsFor(setting(run.configuration, "network", "preset")), [run.configuration]);
  return (
    <Section title="Generations" count={run.generation}>
      <QueryView query={placements} what="generations">
        {({ pages }) => (
          <DataTable
            label="Ranks of each generation"
            columns={columns}
            rows={pages.flatMap(({ items }) => items).flatMap(partsOf)}
            rowKey={({ generation, rank }) => `${generation.toString()} ${rank.toString()}`}
          />
        )}
      </QueryView>
      {placements.hasNextPage && (
        <Button
          m="md"
          size="xs"
          variant="default"
          loading={placements.isFetchingNextPage}
          onClick={() => void placements.fetchNextPage()}
        >
          Earlier generations
        </Button>
      )}
    </Section>
  );
}

type Placement = Schemas["Placement"];
type Part = Placement["ranks"][number] & Pick<Placement, "generation" | "placedAt">;

function partsOf({ generation, placedAt, ranks }: Placement): readonly Part[] {
  return ranks.map((rank) => ({ ...rank, generation, placedAt }));
}

function columnsFor(network: string | undefined): readonly Column<Part>[] {
  return [
    { header: "Generation", cell: ({ generation }) => generation },
    { header: "Placed", cell: ({ placedAt }) => moment(placedAt) },
    { header: "Rank", cell: ({ rank, workerName }) => `${rank.toString()} · ${workerName}` },
    { header: "Samples", cell: ({ share }) => share.toLocaleString("en"), numeric: true },
    {
      header: "Speed from",
      cell: ({ worker, profiles }) =>
        profiles.length === 0 ? (
          NONE
        ) : (
          <AnchorLink
            to="/workers/$worker"
            params={{ worker }}
            search={{ profile: profiles, ...(network !== undefined && { network }) }}
            size="sm"
          >
            {profiles.length === 1 ? "its profile" : `${profiles.length.toString()} profiles`}
          </AnchorLink>
        ),
    },
  ];
}
