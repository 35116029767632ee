import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

import { PATIENCE_MS } from "@/shared/testing-patience";

configure({ asyncUtilTimeout: PATIENCE_MS });

// Nothing is laid out here, and a table draws as many rows as its frame has room for.
const ROOM = { offsetHeight: 600, clientHeight: 600, offsetWidth: 1200, clientWidth: 1200 };
for (const [name, room] of Object.entries(ROOM)) {
  Object.defineProperty(HTMLElement.prototype, name, {
    configurable: true,
    get(this: HTMLElement) {
      return this.firstElementChild?.role === "table" ? room : 0;
    },
  });
}

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, "", "/");
});
