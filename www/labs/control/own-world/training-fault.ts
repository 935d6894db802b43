// The line below the training worlds that says what went wrong in them, and the text of the line of the rules.

import { el, write } from "../../../core/dom";
import { sentence } from "../../../core/format";

/** Characters of a line of the rules that are quoted. */
const MAX_QUOTED = 60;

/** A fault that names a line of a text, with what stands there; without a text as it is. */
export function withLineOf(fault: string, text: string | null): string {
  return fault.replace(/\bline (\d+): /, (place: string, line: string) => {
    const written = text?.split("\n")[Number(line) - 1]?.replace(/#.*$/, "").trim() ?? "";
    if (written === "") return place;
    const short = written.length > MAX_QUOTED ? `${written.slice(0, MAX_QUOTED).trimEnd()} …` : written;
    return `line ${line}, “${short}”: `;
  });
}

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
