// The pupils of a class that does a lesson: who is there, how many answers each has handed in, and how many checks are
// ticked. Rows are updated in place, so that a button keeps its focus.

import { button, el, write } from "../core/dom";
import { formatCount, formatInteger } from "../core/format";
import { resultCount, type MeasuredParts } from "./measured";
import type { ServerPupil } from "./server";
import "../style/compare.css";
import "./class.css";

/** What a row says of a pupil's tab. */
export const STATES: Record<ServerPupil["state"], string> = {
  here: "",
  silent: "not heard of for a while",
  left: "left",
};

interface Row {
  element: HTMLTableRowElement;
  cells: HTMLElement[];
  remove: HTMLButtonElement;
}

export class PupilList {
  readonly element: HTMLElement;
  #summary = el("strong", {});
  #body = el("tbody", {});
  #rows = new Map<number, Row>();

  /** `remove` takes a pupil out of the class. */
  constructor(readonly remove: (seat: number) => void) {
    const heads = ["Name", "Answers", "Checks", "State"].map((text) => el("th", { scope: "col", text }));
    const actions = el("th", {}, el("span", { class: "unseen", text: "Actions" }));
    this.element = el(
      "section",
      { class: "class-results", "aria-label": "The class", hidden: true },
      el("h2", { text: "The class" }),
      el("p", { role: "status" }, this.#summary),
      el(
        "div",
        { class: "compare-table class-table", tabindex: "0", role: "region", "aria-label": "The pupils of the class" },
        el("table", {}, el("thead", {}, el("tr", {}, ...heads, actions)), this.#body),
      ),
    );
  }

  /** `parts` is what the lesson can measure; null if it could not be read. */
  show(pupils: readonly ServerPupil[], parts: MeasuredParts | null): void {
    this.element.hidden = pupils.length === 0;
    const handedIn = pupils.filter(({ answers, measured }) => answers.length + resultCount(measured) > 0).length;
    const who = formatCount(pupils.length, "pupil");
    write(this.#summary, `${who}, ${formatInteger(handedIn)} of them with answers or results.`);
    for (const [seat, row] of this.#rows) {
      if (pupils.some((pupil) => pupil.seat === seat)) continue;
      row.element.remove();
      this.#rows.delete(seat);
    }
    pupils.forEach(({ seat, name, answers, measured, state }, i) => {
      const row = this.#rows.get(seat) ?? this.#create(seat);
      this.#rows.set(seat, row);
      const ticked = (parts?.checks ?? []).filter((check) => measured.checks.includes(check.name)).length;
      const checks = parts && parts.checks.length > 0 ? `${ticked} of ${parts.checks.length}` : "–";
      const texts = [name, formatInteger(answers.length), checks, STATES[state] || "here"];
      texts.forEach((text, column) => write(row.cells[column] as HTMLElement, text));
      row.remove.setAttribute("aria-label", `Remove ${name}`);
      const there = this.#body.children[i] ?? null;
      if (there !== row.element) this.#body.insertBefore(row.element, there);
    });
  }

  #create(seat: number): Row {
    const cells = [
      el("th", { scope: "row", class: "class-name" }),
      el("td", { class: "num" }),
      el("td", { class: "num" }),
      el("td", { class: "class-outcome" }),
    ];
    const remove = button("Remove", () => this.remove(seat), { class: "small" });
    return { element: el("tr", {}, ...cells, el("td", {}, remove)), cells, remove };
  }
}
