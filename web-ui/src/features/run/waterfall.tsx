import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run, Schemas } from "@/api/schemas";
import { seriesColor, usePalette, type Palette } from "@/shared/chart/palette";
import { DataTable, type Column } from "@/shared/data-table";
import { percent, seconds } from "@/shared/format";
import { QueryView } from "@/shared/query-view";
import { setting } from "@/shared/run/configuration";
import { isFinal } from "@/shared/run/run-states";
import { Section } from "@/shared/section";

import { waterfallRows, type Kind, type Part, type WaterfallRow } from "./waterfall-rows";
import classes from "./waterfall.module.css";

type Whole = Schemas["Waterfall"];

/** Polling period of an open run, in milliseconds. */
const SLOW = 15_000;

interface WaterfallProps {
  readonly run: Run;
}

/** The time of a run from its submission to its end, by what it did. */
export function Waterfall({ run }: WaterfallProps): ReactNode {
  const api = useApi();
  const query = useQuery({
    queryKey: ["waterfall", run.id, run.state, run.generation, run.epochs.length],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/runs/{id}/waterfall", { params: { path: { id: run.id } }, signal })),
    staleTime: Infinity,
    refetchInterval: isFinal(run.state) ? false : SLOW,
    placeholderData: (before, query) => (query?.queryKey[1] === run.id ? before : undefined),
  });
  return (
    <Section title="From submission to end">
      <QueryView query={query} what="segments of the run">
        {(found) => <Segments waterfall={found} remarks={remarks(found, run)} />}
      </QueryView>
    </Section>
  );
}

interface SegmentsProps {
  readonly waterfall: Whole;
  readonly remarks: readonly string[];
}

function Segments({ waterfall, remarks }: SegmentsProps): ReactNode {
  const palette = usePalette();
  const rows = useMemo(() => [...waterfallRows(waterfall), total(waterfall)], [waterfall]);
  const columns = useMemo(() => columnsFor(waterfall.seconds, palette), [waterfall.seconds, palette]);
  return (
    <>
      <DataTable
        label="Segments of the run"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        note={({ parts }) => (parts.length === 0 ? null : partsText(parts))}
      />
      {remarks.map((remark) => (
        <Text key={remark} size="sm" c="dimmed" px="md" pb="sm">
          {remark}
        </Text>
      ))}
    </>
  );
}

function total({ seconds: all, open }: Whole): WaterfallRow {
  return {
    key: -1,
    name: open ? "sum so far" : "sum",
    kind: null,
    startSeconds: 0,
    seconds: all,
    fraction: 1,
    parts: [],
  };
}

function partsText(parts: readonly Part[]): string {
  return `Epochs: ${parts.map(({ phase, seconds: length }) => `${phase} ${seconds(length)}`).join(", ")}`;
}

function columnsFor(all: number, palette: Palette): readonly Column<WaterfallRow>[] {
  return [
    { header: "Segment", cell: ({ name }) => name },
    { header: "From", cell: ({ startSeconds }) => seconds(startSeconds), numeric: true },
    { header: "Time", cell: (row) => <Bar row={row} all={all} palette={palette} /> },
    { header: "Length", cell: ({ seconds: length }) => seconds(length), numeric: true },
    { header: "Part", cell: ({ fraction }) => percent(fraction), numeric: true },
  ];
}

interface BarProps {
  readonly row: WaterfallRow;
  /** Time of the run, in seconds. */
  readonly all: number;
  readonly palette: Palette;
}

/** A bar from the start of a segment; the figures beside it say the same. */
function Bar({ row: { kind, startSeconds, seconds: length, fraction, parts }, all, palette }: BarProps): ReactNode {
  return (
    <div className={classes.track} aria-hidden>
      <div
        className={classes.bar}
        style={{
          left: `${((100 * startSeconds) / all).toString()}%`,
          width: `${(100 * fraction).toString()}%`,
          background: colorOf(kind, palette),
        }}
      >
        {parts.map(({ phase, seconds: part }) => (
          <div
            key={phase}
            title={`${phase} ${seconds(part)}`}
            style={{
              width: `${((100 * part) / length).toString()}%`,
              background: phase === "other" ? palette.dimmed : palette.phases[phase],
            }}
          />
        ))}
      </div>
    </div>
  );
}

function colorOf(kind: Kind | null, palette: Palette): string {
  switch (kind) {
    case "queued":
    case "placed":
    case "report":
    case "unrecorded":
    case null:
      return palette.dimmed;
    case "training":
      return palette.phases.compute;
    case "evaluation":
      return seriesColor(palette, 3);
    case "checkpoint":
    case "coordination":
      return seriesColor(palette, 4);
    case "preparation":
    case "rendezvous":
    case "data":
    case "warm-up":
    case "restore":
    case "calibration":
      return seriesColor(palette, 5);
  }
}

/** Says where the figures are less exact than the states of the run. */
function remarks({ segments }: Whole, run: Run): readonly string[] {
  const found: string[] = [];
  if (setting(run.configuration, "execution", "kind") === "virtual") {
    found.push("The ranks of a virtual run report virtual seconds, so only the states of the run divide its time.");
  } else if (
    segments.some(({ kind, source }) => source === "service" && (kind === "preparation" || kind === "training"))
  ) {
    found.push(
      "A generation without reported run phases is divided by the states of the run only: its training includes" +
        " evaluations and checkpoints.",
    );
  }
  if (segments.some(({ source }) => source === "scaled-rank")) {
    found.push("The ranks measured more time than the service; their run phases are shortened to fit.");
  }
  return found;
}
