import type { ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { NONE, percent, seconds, traffic } from "@/shared/format";

import { rankFigures, totalSeconds, type RankFigures } from "./rank-figures";
import { TimeBar } from "./time-bar";

/** The columns for ranks of which the slowest takes `scale` seconds. */
function columns(scale: number): readonly Column<RankFigures>[] {
  return [
    { header: "Rank", cell: ({ rank, workerName }) => `${rank.toString()} · ${workerName}` },
    {
      header: "Share",
      cell: ({ part, samples }) => (
        <span title={`${samples.toLocaleString("en")} samples an epoch`}>{percent(part)}</span>
      ),
      numeric: true,
    },
    { header: "Time an epoch", cell: ({ measured }) => (measured ? <TimeBar times={measured} scale={scale} /> : NONE) },
    { header: "Compute", cell: ({ measured }) => seconds(measured?.computeSeconds), numeric: true },
    { header: "Transfer", cell: ({ measured }) => seconds(measured?.transferSeconds), numeric: true },
    { header: "Wait", cell: ({ measured }) => seconds(measured?.waitSeconds), numeric: true },
    { header: "Sent", cell: ({ measured }) => traffic(measured?.bytesSent), numeric: true },
  ];
}

interface RankTableProps {
  readonly run: Run;
}

/** Where the ranks of a run spend their time. */
export function RankTable({ run }: RankTableProps): ReactNode {
  const ranks = rankFigures(run);
  const slowest = Math.max(...ranks.map(({ measured }) => (measured ? totalSeconds(measured) : 0)));
  return (
    <DataTable
      label="Per-rank figures"
      columns={columns(slowest > 0 ? slowest : 1)}
      rows={ranks}
      rowKey={({ rank }) => rank}
    />
  );
}
