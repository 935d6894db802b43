// The pupils of a class that does a lesson: who is there, how many answers each has handed in, and how many checks are
// ticked. Rows are updated in place, so that a button keeps its focus.

import { button, el, write } from "../core/dom";
import { formatCount, formatInteger } from "../core/format";
import type { Answer } from "./code";
import { resultCount, type Measured, type MeasuredParts } from "./measured";
import "../style/compare.css";
import "./class.css";

/** A pupil with what was handed in of a lesson. */
export interface ListedPupil {
  /** Identifies the row. */
  id: string;
  name: string;
  answers: readonly Answer[];
  measured: Measured;
  /** What the pupil's tab does, or where the answers come from. */
  state: string;
}

interface Row {
  element: HTMLTableRowElement;
  cells: HTMLElement[];
  remove: HTMLButtonElement;
}

export class PupilList {
  readonly element: HTMLElement;
  #summary = el("strong", {});
  #body = el("tbody", {});
  #note = el("p", { class: "quiet", hidden: true });
  #rows = new Map<string, Row>();

  /** `remove` takes a pupil out of the class. */
  constructor(
    readonly remove: (id: string) => void,
    title = "The class",
  ) {
    const heads = ["Name", "Answers", "Checks", "State"].map((text) => el("th", { scope: "col", text }));
    const actions = el("th", {}, el("span", { class: "unseen", text: "Actions" }));
    this.element = el(
      "section",
      { class: "class-results", "aria-label": title, hidden: true },
      el("h2", { text: title }),
      el("p", { role: "status" }, this.#summary),
      this.#note,
      el(
        "div",
        { class: "compare-table class-table", tabindex: "0", role: "region", "aria-label": "The pupils of the class" },
        el("table", {}, el("thead", {}, el("tr", {}, ...heads, actions)), this.#body),
      ),
    );
  }

  /** `parts` is what the lesson can measure; null if it could not be read. `note` says what is missing for that. */
  show(pupils: readonly ListedPupil[], parts: MeasuredParts | null, note = ""): void {
    this.element.hidden = pupils.length === 0;
    this.#note.hidden = note === "";
    write(this.#note, note);
    const handedIn = pupils.filter(({ answers, measured }) => answers.length + resultCount(measured) > 0).length;
    const who = formatCount(pupils.length, "pupil");
    write(this.#summary, `${who}, ${formatInteger(handedIn)} of them with answers or results.`);
    for (const [id, row] of this.#rows) {
      if (pupils.some((pupil) => pupil.id === id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    pupils.forEach(({ id, name, answers, measured, state }, i) => {
      const row = this.#rows.get(id) ?? this.#create(id);
      this.#rows.set(id, row);
      const ticked = (parts?.checks ?? []).filter((check) => measured.checks.includes(check.name)).length;
      const isTold = parts !== null && parts.checks.length > 0 && resultCount(measured) > 0;
      const checks = isTold ? `${ticked} of ${parts.checks.length}` : "–";
      const texts = [name, formatInteger(answers.length), checks, state];
      texts.forEach((text, column) => write(row.cells[column] as HTMLElement, text));
      row.remove.setAttribute("aria-label", `Remove ${name}`);
      const there = this.#body.children[i] ?? null;
      if (there !== row.element) this.#body.insertBefore(row.element, there);
    });
  }

  #create(id: string): Row {
    const cells = [
      el("th", { scope: "row", class: "class-name" }),
      el("td", { class: "num" }),
      el("td", { class: "num" }),
      el("td", { class: "class-outcome" }),
    ];
    const remove = button("Remove", () => this.remove(id), { class: "small" });
    return { element: el("tr", {}, ...cells, el("td", {}, remove)), cells, remove };
  }
}
