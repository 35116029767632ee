import {
  activateHover,
  closeHoverTooltips,
  hoverTooltip,
  keymap,
  type EditorView,
  type Tooltip,
} from "@codemirror/view";
import type { Extension } from "@codemirror/state";

import type { DocLink } from "@/shared/doc-link";

import type { DefinitionSchema } from "./definition-schema";
import { keyHelpAt, type KeyHelp } from "./key-help";

/** The address of a page of the documentation, and the way to it without losing the text. */
export interface DocAddress {
  readonly href: string;
  readonly go: () => void;
}

const CARD = "cm-help";
const ABOUT = "field-help";

/** Shows the help of a field when the pointer rests on its name, or by F1 when the cursor is there. */
export function keyCard(schema: () => DefinitionSchema | null, addressOf: (docs: DocLink) => DocAddress): Extension {
  const hover = hoverTooltip(({ state }, position): Tooltip | null => {
    const known = schema();
    const help = known && keyHelpAt(known, state.doc.toString(), position);
    return (
      help && {
        pos: help.from,
        end: help.to,
        above: true,
        create: (view) => ({ dom: card(view, help, addressOf) }),
      }
    );
  });
  return [hover, keymap.of([{ key: "F1", run: (view) => open(view, hover) }])];
}

/** Opens the card of the field at the cursor until the text or the cursor changes, and moves the focus to its link. */
function open(view: EditorView, hover: Extension): boolean {
  activateHover(view, view.state.selection.main.head, 1, {
    tooltip: hover,
    until: ({ docChanged, selection }) => docChanged || selection !== undefined,
  });
  // Without a card, the key must not open the help of the browser.
  view.dom.querySelector<HTMLAnchorElement>(`.${CARD} a`)?.focus({ preventScroll: true });
  return true;
}

function card(view: EditorView, { path, about, docs }: KeyHelp, addressOf: (docs: DocLink) => DocAddress): HTMLElement {
  const { href, go } = addressOf(docs);
  const text = element("p", about);
  text.id = ABOUT;
  const link = element("a", "Documentation");
  link.href = href;
  link.setAttribute("aria-label", `Documentation of ${path}`);
  link.setAttribute("aria-describedby", ABOUT);
  link.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") {
      view.focus();
      view.dispatch({ effects: closeHoverTooltips });
    }
  });
  link.addEventListener("click", (event) => {
    if (event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      go();
    }
  });
  const dom = document.createElement("div");
  dom.className = CARD;
  dom.append(element("strong", path), text, link);
  return dom;
}

function element<Name extends "a" | "p" | "strong">(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
