import { focusManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiProvider } from "@/api/api-context";
import type { Api } from "@/api/client";

import { useComparedCurves, useLastLook } from "./use-compare";

const REQUESTS = [{ run: ["r1", "r2"], buckets: 500 }];
const MINUTE = 60_000;

describe("the curves of a comparison", () => {
  const GET = vi.fn(() => Promise.resolve({ data: { items: [] }, response: new Response() }));
  let client: QueryClient;

  beforeEach(() => {
    vi.useFakeTimers();
    GET.mockClear();
    client = new QueryClient();
  });

  afterEach(() => {
    vi.useRealTimers();
    focusManager.setFocused(undefined);
  });

  function Page({ children }: { readonly children: ReactNode }): ReactNode {
    return (
      <QueryClientProvider client={client}>
        <ApiProvider api={{ GET } as unknown as Api}>{children}</ApiProvider>
      </QueryClientProvider>
    );
  }

  async function readsDuring(milliseconds: number): Promise<number> {
    const before = GET.mock.calls.length;
    await act(() => vi.advanceTimersByTimeAsync(milliseconds));
    return GET.mock.calls.length - before;
  }

  it("are read every few seconds until the last run ends, and once more then", async () => {
    const { rerender } = renderHook(
      ({ isLive }: { isLive: boolean }) => {
        useLastLook(isLive);
        useComparedCurves("train/loss", "step", REQUESTS, isLive);
      },
      { initialProps: { isLive: true }, wrapper: Page },
    );
    await readsDuring(100);

    expect(await readsDuring(MINUTE)).toBe(12);
    const before = GET.mock.calls.length;
    rerender({ isLive: false });
    await readsDuring(MINUTE);
    expect(GET.mock.calls.length - before).toBe(1);
    expect(await readsDuring(MINUTE)).toBe(0);
  });

  it("are not read while the page is hidden", async () => {
    renderHook(() => useComparedCurves("train/loss", "step", REQUESTS, true), { wrapper: Page });
    await readsDuring(100);

    focusManager.setFocused(false);

    expect(await readsDuring(MINUTE)).toBe(0);
  });
});
