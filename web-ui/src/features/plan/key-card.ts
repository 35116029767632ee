import { hoverTooltip, type Tooltip } from "@codemirror/view";
import type { Extension } from "@codemirror/state";

import type { DocLink } from "@/shared/doc-link";

import type { DefinitionSchema } from "./definition-schema";
import { keyHelpAt, type KeyHelp } from "./key-help";

/** The address of a page of the documentation, and the way to it without losing the text. */
export interface DocAddress {
  readonly href: string;
  readonly go: () => void;
}

/** Shows the help of a field when the pointer rests on its name. */
export function keyCard(schema: () => DefinitionSchema | null, addressOf: (docs: DocLink) => DocAddress): Extension {
  return hoverTooltip(({ state }, position): Tooltip | null => {
    const known = schema();
    const help = known && keyHelpAt(known, state.doc.toString(), position);
    return help && { pos: help.from, end: help.to, above: true, create: () => ({ dom: card(help, addressOf) }) };
  });
}

function card({ path, about, docs }: KeyHelp, addressOf: (docs: DocLink) => DocAddress): HTMLElement {
  const { href, go } = addressOf(docs);
  const link = element("a", "Documentation");
  link.href = href;
  link.addEventListener("click", (event) => {
    if (event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      go();
    }
  });
  const dom = document.createElement("div");
  dom.className = "cm-help";
  dom.append(element("strong", path), element("p", about), link);
  return dom;
}

function element<Name extends "a" | "p" | "strong">(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
