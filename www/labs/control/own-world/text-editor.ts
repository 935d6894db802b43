// The text of a world in an editor (CodeMirror 6): colours, completion, help under the pointer, and what is wrong under
// each line. It stands in a shadow root, where its styles can be adopted: the page's policy allows no others.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  WidgetType,
  type DecorationSet,
  type Tooltip,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { el } from "../../../core/dom";
import type { Problem } from "../../../generated/protocol";
import { worldParser } from "./highlight";
import { partOf } from "./places";
import {
  COLOURS,
  CONSTANTS,
  declaredIn,
  FUNCTIONS,
  helpOf,
  PROPERTIES,
  SHAPES,
  STATEMENTS,
  WORDS,
  type NameKind,
} from "./vocabulary";

/** A sentence under a line. */
export interface Note {
  /** The first line is 1. */
  line: number;
  tone: "error" | "warning";
  text: string;
}

const setNotes = StateEffect.define<Note[]>();

class NoteWidget extends WidgetType {
  constructor(readonly note: Note) {
    super();
  }

  override eq({ note }: NoteWidget): boolean {
    return note.text === this.note.text && note.tone === this.note.tone;
  }

  override toDOM(): HTMLElement {
    // The editor measures the box; a margin would be missed.
    const note = el("div", { class: `world-note ${this.note.tone}`, text: this.note.text });
    return el("div", { class: "world-note-box" }, note);
  }
}

const notes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setNotes)) continue;
      const { doc } = transaction.state;
      const widgets = effect.value
        .filter(({ line }) => line >= 1 && line <= doc.lines)
        .map((note) =>
          Decoration.widget({ widget: new NoteWidget(note), block: true, side: 1 }).range(doc.line(note.line).to),
        );
      next = Decoration.set(widgets, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class TextEditor {
  readonly element = el("div", { class: "own-world-text" });
  #view: EditorView;
  #extensions: Extension;

  /**
   * `changed` is called with each new text, except those of `open`. A text that is only to be read takes no key but
   * those that scroll, so Tab leaves it.
   */
  constructor(changed: (text: string) => void, isReadOnly: boolean) {
    const root = this.element.attachShadow({ mode: "open" });
    const updates = EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    });
    const readOnly = [
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-readonly": "true" }),
    ];
    this.#extensions = [extensions(), updates, isReadOnly ? readOnly : []];
    this.#view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ extensions: this.#extensions }),
    });
    // Escape would close the dialog. In the editor it closes the completion, and lets Tab leave the editor.
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") event.preventDefault();
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text by another. Its history begins anew. */
  open(text: string): void {
    this.#view.setState(EditorState.create({ doc: text, extensions: this.#extensions }));
    this.#view.scrollDOM.scrollTop = 0;
  }

  /** Marks what is wrong, with a sentence under each line, and one under the line of a fault. */
  show(problems: Problem[], fault: Note | null): void {
    const { text } = this;
    const diagnostics = problems.map(({ warning, message, help, ...place }): Diagnostic => ({
      ...partOf(text, place),
      severity: warning ? "warning" : "error",
      message: help === null ? message : `${message}: ${help}`,
    }));
    const under = problems.map(({ warning, line, message, help }): Note => ({
      line,
      tone: warning ? "warning" : "error",
      text: help === null ? message : `${message}: ${help}`,
    }));
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
    this.#view.dispatch({ effects: setNotes.of(fault ? [...under, fault] : under) });
  }

  /** Moves the cursor to a place of the text. */
  goTo(place: Pick<Problem, "line" | "column" | "length">): void {
    const { from, to } = partOf(this.text, place);
    this.#view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}

function extensions(): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    StreamLanguage.define(worldParser),
    syntaxHighlighting(highlighting),
    // Below the line stands what is wrong with it.
    autocompletion({ override: [complete], icons: false, aboveCursor: true }),
    hoverTooltip(help, { hideOnChange: true }),
    notes,
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "The rules of the world", spellcheck: "false" }),
    look,
  ];
}

/** The sentence about the word under the pointer. */
function help(view: EditorView, pos: number): Tooltip | null {
  const word = view.state.wordAt(pos);
  const text = word && helpOf(view.state.sliceDoc(word.from, word.to), view.state.doc.toString());
  if (!text) return null;
  return {
    pos: word.from,
    end: word.to,
    above: true,
    create: () => ({ dom: el("div", { class: "world-help", text }) }),
  };
}

/**
 * Types over a selection. A browser that does it itself carries over the style of the words before as a style
 * attribute, which the page's policy forbids.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { main } = view.state.selection;
  const text = event.data;
  if (event.inputType !== "insertText" || text === null || main.empty || view.composing) return false;
  const typed = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, main.from, main.to, text, typed))) view.dispatch(typed());
  return true;
}

const NAME_KINDS: Record<NameKind, string> = {
  param: "parameter",
  state: "state",
  action: "action",
  choice: "choice of the action",
  let: "value",
};

/** What may be meant by the word before the cursor. */
function complete(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{Nd}_]*/u);
  if (!word && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  const line = context.state.doc.lineAt(from);
  const before = line.text.slice(0, from - line.from);
  // Within a comment or a text in quotes nothing is meant.
  if (/#/.test(before) || (before.split('"').length - 1) % 2 === 1) return null;
  const of = (words: Record<string, string>, boost: number): Completion[] =>
    Object.entries(words).map(([label, info]) => ({ label, info, boost }));
  if (before.trim() === "") return { from, options: of(STATEMENTS, 1) };
  if (/\bdraw\s+$/.test(before)) return { from, options: of(SHAPES, 1) };
  if (/\bcolor\s+$/.test(before)) return { from, options: of(COLOURS, 1) };
  const declared = declaredIn(context.state.doc.toString())
    .filter(({ name }) => name !== (word?.text ?? ""))
    .map(({ name, kind, line }): Completion => ({ label: name, detail: NAME_KINDS[kind], info: line, boost: 3 }));
  const isPicture = /^\s*(draw|camera|for)\b/.test(before);
  const options = [
    ...declared,
    ...of(FUNCTIONS, 1),
    ...of(CONSTANTS, 0),
    ...of(WORDS, 0),
    ...(isPicture ? of(PROPERTIES, 2) : []),
  ];
  return { from, options };
}

const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--learn)", fontWeight: "600" },
  { tag: tags.definition(tags.variableName), fontWeight: "600" },
  { tag: tags.function(tags.variableName), color: "var(--other-3)" },
  { tag: tags.typeName, color: "var(--other-1)" },
  { tag: [tags.number, tags.atom], color: "var(--better)" },
  { tag: tags.string, color: "var(--other-2)" },
  { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
  { tag: tags.operator, color: "var(--ink-2)" },
]);

/** The editor in the colours of the page; custom properties reach into the shadow root. */
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-3)", border: "none" },
  ".cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--earth) 45%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--learn-soft)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--learn-soft)", outline: "none" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--worse-soft)" },
  ".cm-tooltip": {
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
    maxWidth: "min(30rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--learn)", color: "var(--on-learn)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.75", fontStyle: "normal", fontFamily: "var(--font)" },
  ".cm-completionInfo": { padding: "0.375rem 0.625rem", fontFamily: "var(--font)" },
  ".world-help, .cm-diagnostic": { padding: "0.375rem 0.625rem", fontFamily: "var(--font)" },
  ".world-note-box": { padding: "0.125rem 0.5rem 0.25rem 0.375rem" },
  ".world-note": {
    padding: "0.125rem 0.5rem",
    borderLeft: "3px solid var(--worse)",
    borderRadius: "0 6px 6px 0",
    backgroundColor: "var(--worse-soft)",
    color: "var(--ink)",
    fontFamily: "var(--font)",
    whiteSpace: "pre-wrap",
  },
  ".world-note.warning": { borderLeftColor: "var(--other-2)", backgroundColor: "var(--well)" },
  ".cm-panels": { backgroundColor: "var(--well)", color: "var(--ink)", borderColor: "var(--line)" },
});
