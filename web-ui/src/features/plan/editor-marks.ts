import { syntaxTree } from "@codemirror/language";
import { RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";

const KEY = Decoration.mark({ class: "cm-key" });
const TEXT = Decoration.mark({ class: "cm-text" });
const NUMBER = Decoration.mark({ class: "cm-number" });
const COMMENT = Decoration.mark({ class: "cm-comment" });

/** A number, true, false or null. */
const PLAIN = /^([-+]?[\d.][\d_.eE+-]*|true|false|null)$/;

/** Highlights keys, texts, numbers and comments in colors that follow the color scheme. */
export const marks: Extension = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = marked(view);
      }

      update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
        if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state)) {
          this.decorations = marked(view);
        }
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
  EditorView.theme({
    "&": { fontSize: "var(--mantine-font-size-sm)", backgroundColor: "var(--mantine-color-body)" },
    ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", height: "24rem", overflow: "auto" },
    ".cm-content": { caretColor: "var(--mantine-color-text)" },
    ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
    ".cm-gutters": {
      color: "var(--mantine-color-dimmed)",
      backgroundColor: "var(--equipoise-sunken)",
      borderRightColor: "var(--mantine-color-default-border)",
    },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--mantine-color-default-hover)" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
      background: "var(--mantine-primary-color-light-hover) !important",
    },
    ".cm-tooltip": {
      color: "var(--mantine-color-text)",
      backgroundColor: "var(--mantine-color-body)",
      border: "1px solid var(--mantine-color-default-border)",
    },
    ".cm-help": { maxWidth: "28rem", padding: "var(--mantine-spacing-xs)" },
    ".cm-help p": { margin: "4px 0" },
    ".cm-placeholder": { color: "var(--mantine-color-dimmed)", whiteSpace: "pre", verticalAlign: "top" },
    ".cm-completionInfo": { maxWidth: "24rem" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": {
      color: "var(--mantine-color-white)",
      background: "var(--mantine-primary-color-filled)",
    },
    ".cm-key": { color: "var(--mantine-color-indigo-light-color)" },
    ".cm-text": { color: "var(--mantine-color-teal-light-color)" },
    ".cm-number": { color: "var(--mantine-color-orange-light-color)" },
    ".cm-comment": { color: "var(--mantine-color-dimmed)", fontStyle: "italic" },
  }),
];

function marked({ visibleRanges, state }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter(node) {
        const decoration = decorationOf(node.name, () => state.sliceDoc(node.from, node.to));
        if (decoration === null) {
          return true;
        }
        builder.add(node.from, node.to, decoration);
        return false;
      },
    });
  }
  return builder.finish();
}

function decorationOf(name: string, text: () => string): Decoration | null {
  switch (name) {
    case "Key":
      return KEY;
    case "Comment":
      return COMMENT;
    case "QuotedLiteral":
      return TEXT;
    case "Literal":
      return PLAIN.test(text()) ? NUMBER : TEXT;
    default:
      return null;
  }
}
