// A visitor's own text: pasted into a dialog, chosen as a file, or dropped on the page. A file that is not a text is
// refused in one sentence, and nothing changes.

import { button, dialogIsOpen, el, pickFile, takesKeys, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { createDialog } from "../../ui/dialog";

/** The tab holds the text twice. */
const MAX_MEGABYTES = 16;
/** The smallest text the lab accepts. It says so itself, but only to a run that has started. */
const MIN_BYTES = 2048;
/** A shorter pasted text is probably a mistake. */
const MIN_PASTED = 200;

const TEXT_FILES = "text/*,.txt,.md,.csv,.json";
const PASTED = "what you pasted";

export class OwnText {
  #dialog: HTMLDialogElement;
  #area = el("textarea", {
    class: "language-area",
    rows: 10,
    spellcheck: "false",
    "aria-label": "The text",
    placeholder: "Paste a text here: a book, a diary, a program. It never leaves this tab.",
  });
  #wrong = el("p", { class: "setting-help wrong", role: "alert" });

  constructor(readonly learn: (name: string, text: string) => void) {
    this.#dialog = createDialog(
      {
        class: "language-dialog",
        titleId: "language-own-title",
        title: "A text of your own",
        closed: () => this.#dialog.remove(),
      },
      el("p", { class: "quiet", text: "It starts to learn the text at once. You can also drop a file on this page." }),
      this.#area,
      this.#wrong,
      el(
        "div",
        { class: "row dialog-actions" },
        button("Learn it", () => this.#accept(PASTED, this.#area.value), { class: "primary" }),
        button("Choose a file", () => pickFile(TEXT_FILES, (file) => void this.file(file), this.#dialog)),
        button("Cancel", () => this.#dialog.close()),
      ),
    );
    addEventListener("drop", this.#drop, { capture: true });
    addEventListener("paste", this.#paste);
  }

  destroy(): void {
    removeEventListener("drop", this.#drop, { capture: true });
    removeEventListener("paste", this.#paste);
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
    write(this.#wrong, problem);
    this.#wrong.hidden = problem === "";
  }

  #accept(name: string, text: string): void {
    const problem = problemOf(name, text);
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
  async file(file: File): Promise<void> {
    if (file.size > MAX_MEGABYTES * 1e6) {
      return this.#refuse(`${file.name} is too large: the limit is ${MAX_MEGABYTES} megabytes.`);
    }
    try {
      const bytes = await file.arrayBuffer();
      this.#accept(file.name, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      this.#refuse(`${file.name} is not a text in UTF-8.`);
    }
  }

  /** Checkpoints are left to the page; any other file is taken as a text. */
  #drop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (!file || file.name.endsWith(".safetensors")) return;
    event.preventDefault();
    void this.file(file);
  };

  #paste = (event: ClipboardEvent): void => {
    if (takesKeys(event.target) || this.#dialog.open || dialogIsOpen()) return;
    const file = event.clipboardData?.files[0];
    if (file) return void this.file(file);
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length < MIN_PASTED) return;
    this.open();
    this.#area.value = text;
  };
}

/** Why a text cannot be learned from, in one sentence, or null. */
function problemOf(name: string, text: string): string | null {
  const bytes = new TextEncoder().encode(text.trim()).length;
  if (bytes === 0) return `There is no text in ${name}.`;
  if (text.includes("\0")) return `${capital(name)} contains zero bytes, so it is not a text.`;
  if (bytes >= MIN_BYTES) return null;
  return `${capital(name)} is too short to learn from: ${formatInteger(bytes)} bytes, where at least ${formatInteger(MIN_BYTES)} are needed.`;
}

/** Capitalises the name at the start of a sentence, unless it is a file name. */
function capital(name: string): string {
  return name === PASTED ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}
