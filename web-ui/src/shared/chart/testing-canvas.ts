import { vi } from "vitest";

/** Gives canvases a context that accepts every call, until the test ends; text is 10 pixels wide. */
export function stubCanvas(): void {
  const anything: object = new Proxy(Function, {
    get: (_, name) => (name === "width" ? 10 : anything),
    apply: () => anything,
    construct: () => anything,
  });
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(anything as never);
  vi.stubGlobal("Path2D", anything);
}
