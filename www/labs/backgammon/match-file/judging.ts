// The dialog that is open while the lab judges the decisions of a match from a file. Loaded when a file is opened.

import "./match-file.css";
import { button, el, write } from "../../../core/dom";
import { sentence } from "../../../core/format";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonOpenedMatch } from "../../../generated/protocol";

export class Judging {
  #bar = el("progress", { max: 1, value: 0, "aria-label": "Judged decisions" });
  #text = el("p", { role: "status", text: "Reading the file…" });
  #cancel: HTMLButtonElement;
  #dialog: HTMLDialogElement;
  /** Whether the dialog was closed because the analysis is complete. */
  #done = false;

  /** `cancelled` is called if the visitor closes the dialog before the analysis is complete. */
  constructor(name: string, cancelled: () => void) {
    this.#cancel = button("Cancel", () => this.#dialog.close());
    this.#dialog = createDialog(
      {
        class: "match-judging",
        titleId: "match-judging-title",
        title: `Analysis of ${name}`,
        closed: () => {
          this.#dialog.remove();
          if (!this.#done) cancelled();
        },
      },
      this.#text,
      this.#bar,
      el("div", { class: "dialog-actions" }, this.#cancel),
    );
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  draw({ judged, decisions }: BackgammonOpenedMatch): void {
    this.#bar.value = decisions === 0 ? 1 : judged / decisions;
    write(this.#text, `Judged ${judged} of ${decisions} decisions.`);
  }

  /** Says why the file is refused. */
  refuse(problem: string): void {
    this.#bar.hidden = true;
    write(this.#text, sentence(problem));
    this.#text.setAttribute("role", "alert");
    write(this.#cancel, "Close");
  }

  /** Closes the dialog, because the analysis is complete. */
  finish(): void {
    this.#done = true;
    this.#dialog.close();
  }
}
