import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

import { PATIENCE_MS } from "@/shared/testing-patience";

configure({ asyncUtilTimeout: PATIENCE_MS });

// Tests have no layout, and a table renders as many rows as its frame has space for.
const SIZE = { offsetHeight: 600, clientHeight: 600, offsetWidth: 1200, clientWidth: 1200 };
for (const [name, room] of Object.entries(SIZE)) {
  Object.defineProperty(HTMLElement.prototype, name, {
    configurable: true,
    get(this: HTMLElement) {
      return this.firstElementChild?.role === "table" ? room : 0;
    },
  });
}

// jsdom has no fonts, whose loading a text area that grows waits for.
Object.defineProperty(document, "fonts", { configurable: true, value: new EventTarget() });

// Browsers tell of a selection that differs, in a task of its own (Selection API, "selectionchange event"). The document
// of the tests tells of each call, inside it, where the editor is not done and refuses another update.
const dispatchNow = document.dispatchEvent.bind(document);
let told: readonly unknown[] = [];
document.dispatchEvent = (event) => {
  if (event.type !== "selectionchange") return dispatchNow(event);
  queueMicrotask(() => {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection() ?? {};
    const current = [anchorNode, anchorOffset, focusNode, focusOffset];
    if (current.some((value, at) => value !== told[at])) {
      told = current;
      dispatchNow(event);
    }
  });
  return true;
};

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, "", "/");
});
