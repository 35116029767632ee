import {
  autocompletion,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef, type ReactNode, type Ref, useImperativeHandle } from "react";

import type { DocLink } from "@/shared/doc-link";

import { proposalsAt } from "./completion";
import type { DefinitionSchema } from "./definition-schema";
import { marks } from "./editor-marks";
import { keyCard, type DocAddress } from "./key-card";
import type { PlacedProblem } from "./problem-places";

export interface EditorHandle {
  /** Moves the focus to a position of the text. */
  readonly goTo: (position: number) => void;
  /** Moves the focus to the text. */
  readonly focus: () => void;
}

interface EditorProps {
  readonly ref: Ref<EditorHandle>;
  readonly label: string;
  readonly text: string;
  readonly problems: readonly PlacedProblem[];
  readonly schema: DefinitionSchema | null;
  /** Text that an empty editor shows. */
  readonly example: string;
  readonly addressOf: (docs: DocLink) => DocAddress;
  readonly onChange: (text: string) => void;
  /** Called when another key leaves the editor, because Tab indents. */
  readonly onLeave: () => void;
}

/** A text editor with completion and inline problems. */
export function Editor(props: EditorProps): ReactNode {
  const { ref, label, text, problems, schema, example, addressOf, onChange, onLeave } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const first = useEffectEvent(() => text);
  const named = useEffectEvent(() => label);
  const change = useEffectEvent(onChange);
  const leave = useEffectEvent(onLeave);
  const complete = useEffectEvent((context: CompletionContext) => completions(schema, context));
  const known = useEffectEvent(() => schema);
  const shown = useEffectEvent(() => example);
  const address = useEffectEvent(addressOf);

  useEffect(() => {
    const editor = new EditorView({
      ...(frame.current && { parent: frame.current }),
      state: EditorState.create({
        doc: first(),
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          highlightActiveLine(),
          bracketMatching(),
          indentOnInput(),
          indentUnit.of("  "),
          yaml(),
          autocompletion({ override: [(context) => complete(context)], icons: false }),
          placeholder(shown()),
          keyCard(
            () => known(),
            (docs) => address(docs),
          ),
          marks,
          keymap.of([
            // The page handles this key.
            { key: "Mod-Enter", run: () => true },
            ...completionKeymap,
            {
              key: "Escape",
              run() {
                leave();
                return true;
              },
            },
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": named(), tabindex: "0" }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) {
              change(state.doc.toString());
            }
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  // A change from outside can be undone like a typed one.
  useEffect(() => {
    const editor = view.current;
    if (editor !== null && editor.state.doc.toString() !== text) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    }
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor !== null) {
      const end = editor.state.doc.length;
      const diagnostics = problems.map(({ from, to, message }) => ({
        from: Math.min(from, end),
        to: Math.min(to, end),
        severity: "error" as const,
        message,
      }));
      editor.dispatch(setDiagnostics(editor.state, diagnostics));
    }
  }, [problems]);

  useImperativeHandle(ref, () => ({
    goTo(position) {
      const editor = view.current;
      if (editor !== null) {
        editor.dispatch({ selection: { anchor: Math.min(position, editor.state.doc.length) }, scrollIntoView: true });
        editor.focus();
      }
    },
    focus() {
      view.current?.contentDOM.focus();
    },
  }));

  return <div ref={frame} />;
}

function completions(
  schema: DefinitionSchema | null,
  { state, pos, explicit }: CompletionContext,
): CompletionResult | null {
  const found = schema && proposalsAt(schema, state.doc.toString(), pos);
  if (!found || (found.from === pos && !explicit)) {
    return null;
  }
  const { from, options, areFields } = found;
  return {
    from,
    options: options.map(({ label, about }) => ({
      label,
      apply: areFields ? `${label}: ` : label,
      ...(about !== "" && { info: about }),
    })),
    validFor: /^[\w.-]*$/,
  };
}
