import { EditorState } from "@codemirror/state";
import { EditorView, runScopeHandlers } from "@codemirror/view";
import { fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";

import { keyCard } from "./key-card";
import { SCHEMA } from "./testing-schema";

describe("the card of a field", () => {
  let view: EditorView | undefined;

  afterEach(() => {
    view?.destroy();
  });

  /** Presses F1 with the cursor at the bar in the text. */
  function help(text: string): EditorView {
    const card = keyCard(
      () => SCHEMA,
      ({ page }) => ({ href: `/docs/${page}`, go: () => undefined }),
    );
    const made = new EditorView({
      parent: document.body,
      state: EditorState.create({
        doc: text.replace("|", ""),
        selection: { anchor: text.indexOf("|") },
        extensions: [card],
      }),
    });
    view = made;
    expect(runScopeHandlers(made, new KeyboardEvent("keydown", { key: "F1" }), "editor")).toBe(true);
    return made;
  }

  it("opens by F1 with the focus on its link, and closes by Escape", () => {
    const editor = help("training:\n  batch|Size: 32");

    const link = screen.getByRole("link", { name: "Documentation of training.batchSize" });
    expect(document.activeElement).toBe(link);
    expect(link.getAttribute("href")).toBe("/docs/methods");
    const about = document.getElementById(link.getAttribute("aria-describedby") ?? "");
    expect(about?.textContent).toContain("Mini-batch of each replica");

    fireEvent.keyDown(link, { key: "Escape" });
    expect(screen.queryByRole("link")).toBeNull();
    expect(document.activeElement).toBe(editor.contentDOM);
  });

  it("does not open beside the names of fields", () => {
    help("training: {epochs: 1|0}");

    expect(screen.queryByRole("link")).toBeNull();
  });
});
