import { Button, Checkbox, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";

import { useApi } from "@/api/api-context";
import { download } from "@/api/download";
import type { Schemas, Worker } from "@/api/schemas";
import { LineChart } from "@/shared/chart/line-chart";
import { seriesColor, usePalette } from "@/shared/chart/palette";
import type { Series } from "@/shared/chart/series";
import { DataTable } from "@/shared/data-table";
import { ago, moment, percent, sentenceCase } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Notice } from "@/shared/notice";
import { useRights } from "@/shared/rights";
import { Section } from "@/shared/section";
import { StateBadge } from "@/shared/state-badge";

import {
  figureLabel,
  kernelName,
  kernelsOf,
  networksOf,
  sigmoidSeconds,
  sizeLabel,
  speedLine,
  usuallyDrawn,
} from "./speed";
import { MEASUREMENT_COLORS, staleness } from "./states";
import { useCancelProfile } from "./use-changes";
import { isUnderWay, useProfiles, type Profile } from "./use-workers";
import type { Figure } from "./workers-search";

type Kernel = Schemas["Kernel"]["kind"];

interface WorkerProps {
  readonly worker: Worker;
}

/** The speed functions of a worker, and the profiles behind them. */
export function Profiles({ worker }: WorkerProps): ReactNode {
  const query = useProfiles(worker.id);
  return (
    <Section title="Profiles" count={query.data?.length}>
      <Listing
        query={query}
        what="profiles"
        empty="There are no profiles yet. Runs request those that they need; administrators can request more."
      >
        {(profiles, asOf) => <Speeds worker={worker} profiles={profiles} asOf={asOf} />}
      </Listing>
    </Section>
  );
}

interface SpeedsProps extends WorkerProps {
  readonly profiles: readonly Profile[];
  readonly asOf: number;
}

function Speeds({ worker, profiles, asOf }: SpeedsProps): ReactNode {
  const view = useSearch({ from: "/workers/$worker" });
  const navigate = useNavigate({ from: "/workers/$worker" });
  const networks = networksOf(profiles);
  const network = networks.find((name) => name === view.network) ?? networks[0];
  const ofNetwork = profiles.filter((profile) => profile.network === network);
  const kernels = kernelsOf(ofNetwork);
  const kernel = kernels.find((kind) => kind === view.kernel) ?? kernels[0] ?? "training-step";
  const figure = view.figure ?? "speed";
  const drawn = drawnOf(profiles, network, view.profile);
  const change = (changed: Partial<typeof view>): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const toggle = (id: string): void => {
    const before = drawn.map((profile) => profile.id);
    change({ profile: before.includes(id) ? before.filter((each) => each !== id) : [...before, id] });
  };
  const disturbed = drawn.flatMap((profile) =>
    speedLine(profile, kernel, figure).disturbed.map((size) => `#${profile.number.toString()} at ${size.toString()}`),
  );
  return (
    <Stack gap="sm" px="md" pb="md">
      <Group gap="sm">
        <NativeSelect
          size="xs"
          label="Network"
          data={[...networks]}
          value={network}
          onChange={(event) => {
            change({ network: event.currentTarget.value, profile: undefined });
          }}
        />
        <NativeSelect
          size="xs"
          label="Kernel"
          data={kernels.map((value) => ({ value, label: kernelName(value) }))}
          value={kernel}
          onChange={(event) => {
            change({ kernel: event.currentTarget.value });
          }}
        />
        <NativeSelect
          size="xs"
          label="Figure"
          data={[
            { value: "speed", label: "Speed" },
            { value: "time", label: "Time" },
          ]}
          value={figure}
          onChange={(event) => {
            change({ figure: event.currentTarget.value === "time" ? "time" : undefined });
          }}
        />
      </Group>
      <SpeedChart profiles={profiles} network={network} chosen={view.profile} kernel={kernel} figure={figure} />
      {disturbed.length > 0 && <Text size="sm">Disturbed measurements: {disturbed.join(", ")}.</Text>}
      <SigmoidTimes profiles={drawn} />
      <ProfileTable worker={worker} profiles={ofNetwork} asOf={asOf} kernel={kernel} drawn={drawn} onToggle={toggle} />
    </Stack>
  );
}

interface SigmoidTimesProps {
  readonly profiles: readonly Profile[];
}

/** The time of a sigmoid, which hybrid parallelism needs. */
function SigmoidTimes({ profiles }: SigmoidTimesProps): ReactNode {
  const times = profiles.flatMap((profile) => {
    const seconds = sigmoidSeconds(profile);
    return seconds === undefined ? [] : [`#${profile.number.toString()} ${(seconds * 1e9).toPrecision(3)} ns`];
  });
  return times.length > 0 && <Text size="sm">Time of a sigmoid: {times.join(", ")}.</Text>;
}

function drawnOf(
  profiles: readonly Profile[],
  network: string | undefined,
  chosen: readonly string[] | undefined,
): readonly Profile[] {
  const ofNetwork = profiles.filter((profile) => profile.network === network);
  return chosen ? ofNetwork.filter(({ id }) => chosen.includes(id)) : usuallyDrawn(ofNetwork);
}

interface SpeedChartProps {
  readonly profiles: readonly Profile[];
  readonly network: string | undefined;
  readonly chosen: readonly string[] | undefined;
  readonly kernel: Kernel;
  readonly figure: Figure;
}

function SpeedChart({ profiles, network, chosen, kernel, figure }: SpeedChartProps): ReactNode {
  const palette = usePalette();
  const series = useMemo(
    (): readonly Series[] =>
      drawnOf(profiles, network, chosen).map((profile, index) => {
        const { x, y, band } = speedLine(profile, kernel, figure);
        const label = `#${profile.number.toString()}, load ${profile.load.toString()} %`;
        return { key: profile.id, label, color: seriesColor(palette, index), x, y, band, hasPoints: true };
      }),
    [profiles, network, chosen, kernel, figure, palette],
  );
  return series.every(({ x }) => x.length === 0) ? (
    <Text size="sm" c="dimmed">
      No profile with points is chosen.
    </Text>
  ) : (
    <LineChart
      title={`${kernelName(kernel)} of ${network ?? ""}`}
      series={series}
      xLabel={sizeLabel(kernel)}
      yLabel={figureLabel(kernel, figure)}
    />
  );
}

interface ProfileTableProps extends SpeedsProps {
  readonly kernel: string;
  readonly drawn: readonly Profile[];
  readonly onToggle: (id: string) => void;
}

function ProfileTable({ worker, profiles, asOf, kernel, drawn, onToggle }: ProfileTableProps): ReactNode {
  const api = useApi();
  const { isAdministrator } = useRights();
  const cancel = useCancelProfile();
  const keep = useMutation({
    mutationFn: ({ id, number }: Profile) =>
      download(api, `/api/v1/profiles/${id}/curve?kernel=${kernel}`, `${worker.name}-${number.toString()}.csv`),
  });
  const error = cancel.error ?? keep.error;
  return (
    <>
      {error && <Notice title="The request was rejected" error={error} />}
      <DataTable
        label="Profiles"
        rows={profiles}
        rowKey={({ id }) => id}
        note={(profile) => profile.failure ?? staleness(profile)}
        columns={[
          {
            header: "Profile",
            cell: ({ id, number }) => (
              <Checkbox
                size="xs"
                label={`#${number.toString()}`}
                checked={drawn.some((each) => each.id === id)}
                onChange={() => {
                  onToggle(id);
                }}
              />
            ),
          },
          { header: "State", cell: ({ state }) => <StateBadge state={state} color={MEASUREMENT_COLORS[state]} /> },
          { header: "Done", cell: ({ progress }) => percent(progress), numeric: true },
          { header: "Load", cell: ({ load }) => `${load.toString()} %`, numeric: true },
          { header: "Workers", cell: ({ company }) => company, numeric: true },
          { header: "Origin", cell: ({ origin }) => sentenceCase(origin.replaceAll("_", " ")) },
          {
            header: "Age",
            cell: ({ finishedAt, requestedAt }) => (
              <time dateTime={finishedAt ?? requestedAt} title={moment(finishedAt ?? requestedAt)}>
                {ago(finishedAt ?? requestedAt, asOf)}
              </time>
            ),
          },
          {
            header: "Actions",
            cell: (profile) =>
              isUnderWay(profile.state)
                ? isAdministrator && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => {
                        cancel.mutate(profile.id);
                      }}
                    >
                      Cancel
                    </Button>
                  )
                : profile.curves.some((curve) => curve.kernel.kind === kernel && curve.points.length > 0) && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => {
                        keep.mutate(profile);
                      }}
                    >
                      Save as CSV
                    </Button>
                  ),
          },
        ]}
      />
    </>
  );
}
