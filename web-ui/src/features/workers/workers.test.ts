import { describe, expect, it } from "vitest";

import type { Schemas, Worker } from "@/api/schemas";

import { cells, figureOf, pairs } from "./links";
import { EMPTY, profileRequest } from "./profile-request";
import { sigmoidSeconds, speedLine, usuallyDrawn } from "./speed";
import { staleness } from "./states";
import { agentText, counts, shown } from "./worker-list";

const HOST: Worker["host"] = {
  name: "host-a",
  processors: 8,
  threads: 4,
  memoryBytes: 2 ** 34,
  system: "Linux",
  backend: "oneDNN",
  slowDown: 1,
  processor: null,
  instructionSet: null,
};

function worker(name: string, rest: Partial<Worker> = {}): Worker {
  return {
    id: name,
    name,
    state: "IDLE",
    cordon: "OPEN",
    host: HOST,
    agentVersion: null,
    labels: {},
    clusterAddress: "",
    sees: [],
    load: null,
    coolingUntil: null,
    joinedAt: "2026-01-05T08:00:00Z",
    lastSeenAt: "2026-01-05T08:00:00Z",
    protocolVersion: "0.1",
    dataAddress: null,
    formingUntil: null,
    probes: [],
    folders: null,
    ...rest,
  };
}

describe("the workers of a view", () => {
  const all = [
    worker("w10", { labels: { room: "1" } }),
    worker("w2", { state: "BUSY", labels: { room: "2" } }),
    worker("w1", { host: { ...HOST, threads: 8 } }),
  ];

  it("are sorted by names with numbers, or by a figure", () => {
    expect(shown(all, {}).map(({ name }) => name)).toEqual(["w1", "w2", "w10"]);
    expect(shown(all, { sort: "-threads" }).map(({ name }) => name)).toEqual(["w1", "w2", "w10"]);
  });

  it("match its states, its name and its label", () => {
    expect(shown(all, { state: ["BUSY"] }).map(({ name }) => name)).toEqual(["w2"]);
    expect(shown(all, { label: "room=1" }).map(({ name }) => name)).toEqual(["w10"]);
    expect(shown(all, { label: "room" })).toHaveLength(2);
    expect(shown(all, { name: "HOST-A" })).toHaveLength(3);
  });

  it("are counted by state", () => {
    expect(counts(all, ["IDLE", "BUSY", "LOST"])).toEqual([
      ["IDLE", 2],
      ["BUSY", 1],
    ]);
  });
});

it("tells the versions of an agent", () => {
  expect(agentText(worker("a", { agentVersion: "0.3.0", protocolVersion: "0.2" }))).toBe("0.3.0, protocol 0.2");
  expect(agentText(worker("a"))).toBe("unknown version, protocol 0.1");
});

it("tells why a complete profile is stale", () => {
  const changed = { stale: ["processors 8, now 16", "threads 2, now 4"] };
  expect(staleness(profile(1, changed))).toContain("processors 8, now 16; threads 2, now 4");
  expect(staleness(profile(1, { ...changed, state: "FAILED" }))).toBeNull();
  expect(staleness(profile(1))).toBeNull();
});

describe("links", () => {
  const link = {
    between: ["b", "a"],
    alphaSeconds: 2e-5,
    betaSecondsPerByte: 1e-9,
    relativeError: 0.01,
    measuredAt: "2026-01-05T08:00:00Z",
  };

  it("belong to their pairs, and missing ones are null", () => {
    const workers = [worker("a"), worker("b"), worker("c")];
    const found = pairs(workers, [link]);
    expect(found.map(({ link }) => link !== null)).toEqual([true, false, false]);
    expect(cells(workers, found, "bandwidth").filter(({ value }) => value !== null)).toHaveLength(2);
    expect([link].map((each) => figureOf(each, "bandwidth"))).toEqual([1000]);
  });
});

function profile(number: number, rest: Partial<Schemas["Profile"]> = {}): Schemas["Profile"] {
  const points = [
    { size: 8, meanSeconds: 2, confidenceSeconds: 0.4, deviationSeconds: 1, disturbed: true, repetitions: 5 },
  ];
  return {
    id: number.toString(),
    worker: "w1",
    network: "mnist-cnn",
    number,
    origin: "MEASURED",
    host: HOST,
    session: "s",
    company: 1,
    load: 100,
    state: "COMPLETE",
    progress: 1,
    curves: [
      { kernel: { kind: "training-step", network: "mnist-cnn" }, wanted: { kind: "fixed", sizes: [8] }, points },
    ],
    failure: null,
    requestedAt: "2026-01-05T08:00:00Z",
    finishedAt: null,
    stale: [],
    ...rest,
  };
}

describe("speed functions", () => {
  it("have the bounds of their confidence interval", () => {
    expect(speedLine(profile(1), "training-step", "speed")).toEqual({
      x: [8],
      y: [4],
      band: { low: [8 / 2.4], high: [5] },
      disturbed: [8],
    });
    expect(speedLine(profile(1), "training-step", "time").band).toEqual({ low: [1.6], high: [2.4] });
  });

  it("have the time of a sigmoid if it was measured", () => {
    const [curve] = profile(1).curves;
    const measured = (curve?.points ?? []).map((point) => ({ ...point, sigmoidSeconds: 2e-9 }));
    expect(sigmoidSeconds(profile(1))).toBeUndefined();
    expect(
      sigmoidSeconds(
        profile(1, {
          curves: [
            {
              kernel: { kind: "training-step", network: "mlp" },
              wanted: { kind: "fixed", sizes: [8] },
              points: measured,
            },
          ],
        }),
      ),
    ).toBe(2e-9);
  });

  it("are the profiles in use, and those that are being measured", () => {
    const all = [
      profile(4, { state: "MEASURING" }),
      profile(3, { state: "FAILED" }),
      profile(2),
      profile(1),
      profile(1, { load: 200 }),
    ];
    expect(usuallyDrawn(all).map(({ number, load }) => [number, load])).toEqual([
      [4, 100],
      [2, 100],
      [1, 200],
    ]);
  });
});

describe("the request of a profile", () => {
  it("leaves defaults to the service", () => {
    expect(profileRequest({ ...EMPTY, network: "mnist-cnn" })).toEqual({
      network: "mnist-cnn",
      points: null,
      precision: null,
      company: null,
    });
  });

  it("is null until all fields are filled in", () => {
    expect(profileRequest(EMPTY)).toBeNull();
    expect(profileRequest({ ...EMPTY, network: "n", points: "fixed", sizes: ["8", "x"] })).toBeNull();
    expect(
      profileRequest({ ...EMPTY, network: "n", points: "adaptive", from: 8, to: 64, accuracyPercent: "", most: 4 }),
    ).toBeNull();
    expect(
      profileRequest({ ...EMPTY, network: "n", points: "adaptive", from: 8, to: 64, accuracyPercent: 5, most: 4 })
        ?.points,
    ).toEqual({ kind: "adaptive", from: 8, to: 64, accuracy: 0.05, most: 4 });
  });
});
