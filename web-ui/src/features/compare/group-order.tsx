import { List, Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { Section } from "@/shared/section";

const TITLES: Readonly<Record<string, string>> = {
  finalAccuracy: "Highest accuracy first",
  replicaAccuracy: "Highest accuracy of the replicas first",
  trainingSeconds: "Shortest training first",
  secondsToTarget: "Shortest time to the target first",
};

interface GroupOrderProps {
  readonly comparison: Pick<Schemas["Comparison"], "groups" | "rankings">;
}

/** Shows the orders of the seed groups as far as the service can tell them apart. */
export function GroupOrder({ comparison: { groups, rankings } }: GroupOrderProps): ReactNode {
  if (rankings.length === 0) {
    return null;
  }
  return (
    <Section title="Order of the groups">
      <List size="sm" px="md" listStyleType="none" aria-label="Order of the groups">
        {rankings.map((ranking) => (
          <List.Item key={ranking.figure}>
            {TITLES[ranking.figure] ?? ranking.figure}: {orderText(ranking, groups)}
          </List.Item>
        ))}
      </List>
      <Text size="xs" c="dimmed" px="md" py="xs">
        The 95 % interval of a difference, for times of a ratio, tells no group of a place from its first one. A group
        needs four completed seeds to be ranked.
      </Text>
    </Section>
  );
}

/** Puts an order into words: "1. ring = tree (tie); 2. flat". */
export function orderText(
  { ties, unranked }: Schemas["ComparedRanking"],
  groups: readonly Pick<Schemas["ComparedGroup"], "label">[],
): string {
  const labels = (members: readonly number[]): string[] => members.map((index) => groups[index]?.label ?? "");
  const places = ties.map(
    (tie, place) => `${(place + 1).toString()}. ${labels(tie).join(" = ")}${tie.length > 1 ? " (tie)" : ""}`,
  );
  return [...places, ...(unranked.length > 0 ? [`not ranked: ${labels(unranked).join(", ")}`] : [])].join("; ");
}
