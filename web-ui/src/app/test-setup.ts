import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Longer than the polling interval, on a busy machine too.
configure({ asyncUtilTimeout: 10_000 });

// Nothing is laid out here, and a table draws as many rows as have room.
Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, value: 600 });
Object.defineProperty(HTMLElement.prototype, "offsetWidth", { configurable: true, value: 1200 });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, "", "/");
});
