import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it } from "vitest";

import { LineChart } from "./line-chart";
import type { Series } from "./series";
import { stubCanvas } from "./testing-canvas";

const AXES = { xLabel: "step", yLabel: "loss" };

describe("a line chart", () => {
  let user: ReturnType<typeof userEvent.setup>;

  beforeEach(() => {
    user = userEvent.setup();
    stubCanvas();
  });

  it("shows the last values, and those of the point selected by keys", () => {
    render(chart(5), { wrapper: Page });
    expect(shownValues()).toBe("step 4; one: 40; two: 40");

    moveTo(1);

    expect(shownValues()).toBe("step 1; one: 10; two: 10");
    expect(line("one").textContent).toBe("one10");
  });

  it("shows the line itself, not the raw values behind it or the bounds of its band", () => {
    const smooth = lineOf("one", 3);
    const series = [
      { ...smooth, key: "one raw", rawOf: "one", y: [7, 8, 9] },
      { ...smooth, band: { low: [1, 1, 1], high: [99, 99, 99] } },
      lineOf("two", 3),
    ];
    render(<LineChart title="Loss" series={series} {...AXES} />, { wrapper: Page });

    expect(shownValues()).toBe("step 2; one: 20; two: 20");
  });

  it("keeps hidden lines hidden when points arrive, and their values visible", async () => {
    const { rerender } = render(chart(5), { wrapper: Page });

    await user.click(line("one"));
    rerender(chart(6));

    expect(line("one").getAttribute("aria-pressed")).toBe("false");
    expect(line("two").getAttribute("aria-pressed")).toBe("true");
    expect(shownValues()).toBe("step 5; one: 50; two: 50");
  });

  it("shows a single point as a number with its position, and draws a line from two points on", () => {
    const one = [
      { ...lineOf("one", 1), x: [1], y: [0.875] },
      { ...lineOf("two", 3), x: [1, 2, 3], y: [null, 0.5, null] },
    ];
    const { rerender } = render(<LineChart title="Accuracy" series={one} {...AXES} />, { wrapper: Page });

    const figure = screen.getByRole("figure", { name: "Accuracy" });
    expect(figure.textContent).toContain("0.875 one" + "loss, at step 1");
    expect(figure.textContent).toContain("0.5 two" + "loss, at step 2");
    expect(within(figure).getByRole("button", { name: "Save “Accuracy”" })).toBeTruthy();
    expect(screen.queryByRole("slider")).toBeNull();

    rerender(<LineChart title="Accuracy" series={[lineOf("one", 2)]} {...AXES} />);
    expect(shownValues("Accuracy")).toBe("step 1; one: 10");
  });

  it("zooms together with linked charts, and selects no point outside", async () => {
    render(
      <>
        {chart(101, "Loss", "test")}
        {chart(101, "Accuracy", "test")}
      </>,
      { wrapper: Page },
    );

    const zoom = within(screen.getByRole("group", { name: "Zoom “Loss”" }));
    await user.click(zoom.getByRole("button", { name: "Zoom in" }));
    await waitFor(() => {
      expect([slider("Accuracy").min, slider("Accuracy").max]).toEqual(["25", "75"]);
    });

    await user.click(zoom.getByRole("button", { name: "Show all" }));
    await waitFor(() => {
      expect([slider("Accuracy").min, slider("Accuracy").max]).toEqual(["0", "100"]);
    });
  });

  it("shows the same position as linked charts", async () => {
    render(
      <>
        {chart(101, "Loss", "test")}
        {chart(101, "Accuracy", "test")}
      </>,
      { wrapper: Page },
    );

    await waitFor(() => {
      expect(slider("Accuracy").max).toBe("100");
    });
    moveTo(50);

    expect(shownValues()).toBe("step 50; one: 500; two: 500");
    expect(shownValues("Accuracy")).toBe("step 50; one: 500; two: 500");
  });
});

function chart(points: number, title = "Loss", linked?: string): ReactNode {
  const series = [lineOf("one", points), lineOf("two", points)];
  return <LineChart title={title} series={series} {...AXES} {...(linked !== undefined && { linked })} />;
}

function lineOf(key: string, points: number): Series {
  const x = Array.from({ length: points }, (_, index) => index);
  return { key, label: key, color: "#000000", x, y: x.map((at) => 10 * at) };
}

function Page({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">{children}</MantineProvider>
    </QueryClientProvider>
  );
}

function slider(title = "Loss"): HTMLInputElement {
  return screen.getByRole("slider", { name: `Position along ${title}` });
}

function shownValues(title?: string): string | null {
  return slider(title).getAttribute("aria-valuetext");
}

/** Acts like arrow keys, which this browser lacks. */
function moveTo(place: number): void {
  fireEvent.change(slider(), { target: { value: place } });
}

function line(name: string): HTMLElement {
  return screen.getByRole("button", { name: new RegExp(name) });
}
