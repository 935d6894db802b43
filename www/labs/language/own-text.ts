// Takes a visitor's own text for the language lab to learn from: pasted into a dialog or on the page, chosen as a file,
// or dropped on the page. A file that is not a text is refused with one sentence in the dialog, and the run goes on
// unchanged.

import { button, dialogIsOpen, el, pickFile, takesKeys, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { createDialog } from "../../ui/dialog";
import { droppedFile } from "../../ui/drop";

/** The limit for files. The tab holds a text twice, on the page and in the worker. */
const MAX_MEGABYTES = 16;
/** The shortest text that the lab accepts. The lab checks this too, but only after a run has started. */
const MIN_BYTES = 2048;
/**
 * A text pasted on the page opens the dialog only if it has this many characters; a shorter one is probably a mistake.
 */
const MIN_PASTED_CHARACTERS = 200;

/** The names of files that the page itself opens: checkpoints and recipes. */
const PAGE_FILE_PATTERN = /(\.safetensors|recipe\.json)$/i;
/** What the file chooser offers: MIME types and endings of names. */
const TEXT_FILES = "text/*,.txt,.md,.csv,.json";
/** The name of a text that is not a file, as it appears in sentences. */
const PASTED_TEXT_NAME = "the pasted text";

export class OwnText {
  #dialog: HTMLDialogElement;
  #area = el("textarea", {
    class: "language-area",
    rows: 10,
    spellcheck: "false",
    "aria-label": "The text",
    placeholder: "Paste a text here: a book, a diary, a program. It never leaves this tab.",
  });
  #problem = el("p", { class: "setting-help wrong", role: "alert" });

  /** `learn` makes the lab learn from a text; `name` is the name of its file, or `PASTED_TEXT_NAME`. */
  constructor(readonly learn: (name: string, text: string) => void) {
    this.#dialog = createDialog(
      {
        class: "language-dialog",
        titleId: "language-own-title",
        title: "Train on your own text",
        closed: () => this.#dialog.remove(),
      },
      el("p", {
        class: "quiet",
        text: `Training starts when you press “Train on it”, or as soon as you choose a file. The text needs at least ${formatInteger(MIN_BYTES)} bytes (an English letter takes one). You can also drop a file on this page.`,
      }),
      this.#area,
      this.#problem,
      el(
        "div",
        { class: "row dialog-actions" },
        button("Train on it", () => this.#accept(PASTED_TEXT_NAME, this.#area.value), { class: "primary" }),
        button("Choose a file", () => pickFile(TEXT_FILES, (file) => void this.readFile(file), this.#dialog)),
        button("Cancel", () => this.#dialog.close()),
      ),
    );
    // In the capture phase it comes before the page's own listener, which opens a dropped file as a checkpoint or a
    // recipe unless the default action was prevented.
    addEventListener("drop", this.#onDrop, { capture: true });
    addEventListener("paste", this.#onPaste);
  }

  destroy(): void {
    removeEventListener("drop", this.#onDrop, { capture: true });
    removeEventListener("paste", this.#onPaste);
    this.#dialog.close();
    this.#dialog.remove();
  }

  open(): void {
    if (this.#dialog.open) return;
    this.#showProblem("");
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#area.focus();
  }

  #showProblem(problem: string): void {
    write(this.#problem, problem);
    this.#problem.hidden = problem === "";
  }

  /** Hands a text to the lab, or refuses it. */
  #accept(name: string, text: string): void {
    const problem = problemWith(name, text);
    if (problem !== null) return this.#refuse(problem);
    this.#dialog.close();
    this.#area.value = "";
    this.learn(name, text);
  }

  /** Shows the problem in the dialog. */
  #refuse(problem: string): void {
    this.open();
    this.#showProblem(problem);
  }

  /** Reads a text file, or refuses it. */
  async readFile(file: File): Promise<void> {
    if (file.size > MAX_MEGABYTES * 1e6) {
      return this.#refuse(`${file.name} is too large: the limit is ${MAX_MEGABYTES} megabytes.`);
    }
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()); // throws if it is not UTF-8
    } catch {
      return this.#refuse(`${file.name} is not a text in UTF-8.`);
    }
    this.#accept(file.name, text);
  }

  /** Takes any dropped file as a text, except checkpoints and recipes, which the page itself opens. */
  #onDrop = (event: DragEvent): void => {
    const dropped = droppedFile(event);
    if (!dropped || ("file" in dropped && PAGE_FILE_PATTERN.test(dropped.file.name))) return;
    event.preventDefault();
    if ("file" in dropped) void this.readFile(dropped.file);
    else this.#refuse(dropped.problem);
  };

  /** Takes what was pasted outside of any text box: a file at once, a long text into the dialog. */
  #onPaste = (event: ClipboardEvent): void => {
    if (takesKeys(event.target) || this.#dialog.open || dialogIsOpen()) return;
    const file = event.clipboardData?.files[0];
    if (file) return void this.readFile(file);
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length < MIN_PASTED_CHARACTERS) return;
    this.open();
    this.#area.value = text;
  };
}

/** Why a text cannot be learned from, in one sentence, or null. */
function problemWith(name: string, text: string): string | null {
  const bytes = new TextEncoder().encode(text.trim()).length;
  if (bytes === 0) return `There is no text in ${name}.`;
  if (text.includes("\0")) return `${capitalised(name)} contains zero bytes, so it is not a text.`;
  if (bytes >= MIN_BYTES) return null;
  const [has, needs] = [formatInteger(bytes), formatInteger(MIN_BYTES)];
  return `${capitalised(name)} is too short to learn from: ${has} bytes, where at least ${needs} are needed.`;
}

/** Capitalises the name at the start of a sentence, unless it is a file name. */
function capitalised(name: string): string {
  return name === PASTED_TEXT_NAME ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}
