import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { ApiProvider } from "@/api/api-context";
import type { Api } from "@/api/client";
import type { Run, Schemas } from "@/api/schemas";

import { Waterfall } from "./waterfall";

type Whole = Schemas["Waterfall"];

const PREPARED: Whole["segments"][number] = {
  kind: "preparation",
  source: "service",
  generation: 1,
  startSeconds: 10,
  seconds: 30,
  epochs: null,
};

const WHOLE: Whole = {
  from: "2026-01-01T00:00:00Z",
  to: "2026-01-01T00:00:40Z",
  seconds: 40,
  open: false,
  segments: [
    { kind: "queued", source: "service", generation: null, startSeconds: 0, seconds: 10, epochs: null },
    {
      kind: "training",
      source: "scaled-rank",
      generation: 1,
      startSeconds: 10,
      seconds: 30,
      epochs: {
        computeSeconds: 20,
        encodeSeconds: 0,
        transferSeconds: 6,
        waitSeconds: 4,
        applySeconds: 0,
        otherSeconds: 0,
      },
    },
  ],
};

function show(waterfall: Whole, execution = "real"): void {
  const api = {
    GET: () => Promise.resolve({ data: waterfall, response: Response.json(waterfall) }),
  } as unknown as Api;
  const run = {
    id: "r1",
    state: "COMPLETED",
    generation: 1,
    epochs: [],
    configuration: { execution: { kind: execution } },
  };
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ApiProvider api={api}>
          <Waterfall run={run as unknown as Run} />
        </ApiProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

async function rows(): Promise<readonly string[]> {
  const table = within(await screen.findByRole("table", { name: "Segments of the run" }));
  return table
    .getAllByRole("row")
    .slice(1)
    .map(({ children }) => [...children].map(({ textContent }) => textContent).join("|"));
}

describe("the waterfall of a run", () => {
  it("has a row for each segment and their sum", async () => {
    show(WHOLE);

    expect(await rows()).toEqual([
      "queued|0.000 s||10.0 s|25.0 %",
      "training|10.0 s||30.0 s|75.0 %",
      "Epochs: compute 20.0 s, transfer 6.00 s, wait 4.00 s",
      "sum|0.000 s||40.0 s|100.0 %",
    ]);
  });

  it("says that phases were shortened", async () => {
    show(WHOLE);

    expect(await screen.findByText(/shortened to fit/)).toBeTruthy();
    expect(screen.queryByText(/without reported run phases/)).toBeNull();
  });

  it("says that an open run is not at its end", async () => {
    show({ ...WHOLE, open: true });

    expect((await rows()).at(-1)).toBe("sum so far|0.000 s||40.0 s|100.0 %");
  });

  it("says why a generation has no phases", async () => {
    show({ ...WHOLE, segments: [PREPARED] });

    expect(await screen.findByText(/without reported run phases/)).toBeTruthy();
  });

  it("says that a virtual run has none", async () => {
    show({ ...WHOLE, segments: [PREPARED] }, "virtual");

    expect(await screen.findByText(/report virtual seconds/)).toBeTruthy();
  });
});
