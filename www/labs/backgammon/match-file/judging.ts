// The dialog that is open while the lab judges the decisions of a match file. Loaded when a file is opened.

import "./match-file.css";
import { button, el, write } from "../../../core/dom";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonOpenedMatch } from "../../../generated/protocol";

export class Judging {
  #bar = el("progress", { max: 1, value: 0, "aria-label": "Judged decisions" });
  #text = el("p", { text: "Reading the file…" });
  #button: HTMLButtonElement;
  #dialog: HTMLDialogElement;

  /** `closed` is called when the dialog is closed in any way. */
  constructor(name: string, closed: () => void) {
    this.#button = button("Cancel", () => this.#dialog.close());
    this.#dialog = createDialog(
      {
        class: "match-judging",
        titleId: "match-judging-title",
        title: `Analysis of ${name}`,
        closed: () => {
          this.#dialog.remove();
          closed();
        },
      },
      this.#text,
      this.#bar,
      el("div", { class: "dialog-actions" }, this.#button),
    );
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  draw({ judged, decisions }: BackgammonOpenedMatch): void {
    this.#bar.value = decisions === 0 ? 1 : judged / decisions;
    write(this.#text, `Judged ${judged} of ${decisions} decisions.`);
  }

  /** Says why there is no analysis. */
  refuse(sentence: string): void {
    this.#bar.hidden = true;
    this.#text.setAttribute("role", "alert");
    write(this.#text, sentence);
    write(this.#button, "Close");
  }

  close(): void {
    if (this.#dialog.open) this.#dialog.close();
  }
}
