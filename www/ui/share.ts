// The section for taking a run elsewhere: as a link, as a command for a terminal, or as a checkpoint file; and for
// checking that it is the same elsewhere, by its fingerprint.

import { button, el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { commandLine, writeLink } from "../core/link";
import { copyRow, copyableField } from "./copy-row";
import type { Report } from "./drop";
import { Fingerprint } from "./fingerprint";

export interface ShareActions {
  /** Downloads a checkpoint. */
  save: (options: { networkOnly: boolean }) => void;
  /** Lets the visitor choose a checkpoint file to open. */
  open: (report: Report) => void;
}

export class Share {
  readonly element: HTMLElement;
  #link = copyableField("share-link", "Link to this run");
  #command = copyableField("share-command", "Command that repeats this run", { mono: true });
  /** Whether the link and the command stop at the present unit (training iteration). */
  #stop = el("input", { type: "checkbox", class: "switch", id: "share-stop" });
  #stopText = el("span", {});
  /** What happens to a file that the visitor has chosen. */
  #fileMessage = el("p", { class: "file-message", role: "alert", hidden: true });
  #draft: Draft;

  constructor(draft: Draft, actions: ShareActions) {
    this.#draft = draft;
    const { about } = draft.lab;
    this.element = el(
      "section",
      { class: "share", "aria-labelledby": "share-title" },
      el("div", { class: "section-head" }, el("h2", { id: "share-title", text: "Share and save" })),
      el(
        "div",
        { class: "share-grid" },
        el(
          "div",
          { class: "share-links" },
          el("label", { for: "share-link", text: "Link to this run" }),
          copyRow(this.#link),
          el("label", { for: "share-command", text: "Command that repeats this run in a terminal, at max speed" }),
          copyRow(this.#command),
          el("label", { class: "check" }, this.#stop, this.#stopText),
        ),
        el(
          "div",
          { class: "share-files" },
          el("p", { class: "label", text: "Checkpoint (saved run)" }),
          el(
            "p",
            { class: "row" },
            button("Save checkpoint", () => actions.save({ networkOnly: false }), {
              title: "Everything needed to continue the run, here or on the command line (S)",
            }),
            button("Save network only", () => actions.save({ networkOnly: true }), {
              title: "Only the trained network, without what is needed to continue the run",
            }),
            button("Open a checkpoint…", () => actions.open(this.#showFileMessage)),
          ),
          this.#fileMessage,
          el(
            "p",
            { class: "quiet small" },
            "A checkpoint is a safetensors file, which Python can read too. You can also drop one on the page to open it.",
          ),
          new Fingerprint(draft).element,
        ),
      ),
    );
    listen(this.#stop, { change: () => this.draw() });
    draft.on("changed", () => this.draw());
    draft.run.on("opened", () => this.draw()); // it may compute on another device
    draft.run.on("progress", () => {
      write(this.#stopText, `stop at ${about.unit} ${draft.run.progress.units} (now)`);
      if (this.#stop.checked) this.draw();
    });
    write(this.#stopText, `stop at ${about.unit} ${draft.run.progress.units} (now)`);
    this.draw();
  }

  #showFileMessage: Report = (text, wrong = false) => {
    write(this.#fileMessage, text);
    this.#fileMessage.hidden = text === "";
    this.#fileMessage.classList.toggle("wrong", wrong);
  };

  /** Writes the link and the command of the run as it is now. */
  draw(): void {
    const { lab, run } = this.#draft;
    const units = this.#stop.checked ? run.progress.units : null;
    this.#link.value = location.origin + location.pathname + writeLink(lab, run.settings, run.seed, units, run.device);
    this.#command.value = commandLine(lab, run.settings, run.seed, units, run.device);
  }
}
