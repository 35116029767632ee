import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { ConfirmButton } from "@/shared/confirm-button";
import { DataTable } from "@/shared/data-table";
import { moment } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Section } from "@/shared/section";

import { validity } from "./join-token-request";
import { useJoinTokenRevocation, useJoinTokens } from "./use-join-tokens";

/** The join tokens of the lab, without their texts. */
export function JoinTokens(): ReactNode {
  const tokens = useJoinTokens();
  return (
    <Section title="Join tokens" count={tokens.data?.length}>
      <Listing query={tokens} what="join tokens" empty="There are no join tokens yet. Make one to add machines.">
        {(items, asOf) => (
          <DataTable
            label="Join tokens"
            rows={items}
            rowKey={({ id }) => id}
            columns={[
              { header: "Name", cell: ({ name }) => name },
              { header: "State", cell: (token) => validity(token, asOf) },
              {
                header: "Admitted",
                cell: ({ admitted, uses }) => `${admitted.toString()} of ${uses.toString()}`,
                numeric: true,
              },
              { header: "Created", cell: ({ createdAt }) => moment(createdAt) },
              { header: "Expires", cell: ({ expiresAt }) => moment(expiresAt) },
              { header: "Actions", cell: (token) => <Revoke token={token} /> },
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}

function Revoke({ token }: { readonly token: Schemas["JoinTokenEntry"] }): ReactNode {
  return (
    <ConfirmButton
      label="Revoke"
      title={`Revoke the join token ${token.name}`}
      sentence="The token admits no further agent. The workers that it has admitted stay."
      isGrave
      change={useJoinTokenRevocation(token.id)}
    />
  );
}
