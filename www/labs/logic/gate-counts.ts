// How many gates have changed: at the start all are plain wires (a gate that passes one input on). Bars show how many
// gates each of the other kinds has; together they are the changed ones.

import { el, listen, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { changedGates, truthTable, GATE_NAMES, isPlainWire } from "./gate-kinds";

interface Row {
  element: HTMLElement;
  bar: HTMLElement;
  count: HTMLElement;
  /** The length of the bar as shown, 0 to 1. */
  length: number;
}

/** Time constant with which bars follow the counts. */
const SETTLE_SECONDS = 0.15;
/** The longest bar stands for at least this many gates. */
const MIN_FULL_BAR = 8;

export class GateCounts {
  readonly element: HTMLElement;
  #rows = new Map<number, Row>();
  #changed = el("b", { class: "num" });
  #total = el("span", { class: "num quiet" });
  #changedBar = el("span", { class: "logic-meter-bar" });

  /** `highlight` is called with the kind under the pointer. */
  constructor(highlight: (kind: number | null) => void) {
    const list = el("ul", { class: "logic-kinds" });
    for (const [kind, name] of GATE_NAMES.entries()) {
      if (isPlainWire(kind)) continue;
      const bar = el("span", { class: "kind-bar" });
      const count = el("span", { class: "kind-count num" });
      const element = el(
        "li",
        { class: "kind", title: `${name}; point here to highlight these gates` },
        truthTable(kind),
        el("span", { class: "kind-name", text: name }),
        el("span", { class: "kind-track" }, bar),
        count,
      );
      listen(element, {
        pointerenter: () => highlight(kind),
        pointerleave: () => highlight(null),
      });
      this.#rows.set(kind, { element, bar, count, length: 0 });
      list.append(element);
    }
    this.element = el(
      "div",
      { class: "logic-gate-counts" },
      el("p", { class: "logic-changed" }, "Changed gates, by kind ", el("span", {}, this.#changed, " ", this.#total)),
      el("span", { class: "logic-meter", "aria-hidden": "true" }, this.#changedBar),
      list,
    );
  }

  /** `counts[kind]` is the number of gates of a kind. */
  draw(counts: number[], seconds: number): void {
    const { changed, all } = changedGates(counts);
    write(this.#changed, formatInteger(changed));
    write(this.#total, `of ${formatInteger(all)}`);
    this.#changedBar.style.transform = `scaleX(${(changed / Math.max(1, all)).toFixed(4)})`;
    const fullBar = Math.max(MIN_FULL_BAR, ...counts.filter((_, kind) => !isPlainWire(kind)));
    const step = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    for (const [kind, row] of this.#rows) {
      const count = counts[kind] ?? 0;
      row.length += (count / fullBar - row.length) * step;
      row.bar.style.transform = `scaleX(${row.length.toFixed(3)})`;
      row.element.classList.toggle("none", count === 0);
      write(row.count, formatInteger(count));
    }
  }
}
