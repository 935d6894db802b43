// The line below the training worlds that says what went wrong in them.

import { el, write } from "../../../core/dom";
import { sentence } from "../../../core/format";

export class TrainingFault {
  readonly element: HTMLElement;
  #line = el("p", { class: "own-run-fault", hidden: true });
  /** For screen readers: written when faults begin, and not again while only the numbers change. */
  #announcement = el("p", { class: "unseen", role: "status" });

  constructor() {
    this.element = el("div", {}, this.#line, this.#announcement);
  }

  /** `fault` is what the last iteration showed, without a full stop; null for nothing. */
  show(fault: string | null): void {
    const text = fault === null ? "" : sentence(fault);
    if (text === "" || this.#line.hidden) write(this.#announcement, text);
    this.#line.hidden = text === "";
    write(this.#line, text);
  }
}
