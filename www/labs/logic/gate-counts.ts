// Counts of gates by kind: first those that still pass their first input on, then all others.

import { el, listen, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { glyph, NAMES, PASS } from "./gate-kinds";

interface Row {
  element: HTMLElement;
  bar: HTMLElement;
  count: HTMLElement;
  shown: number;
}

const SETTLE_SECONDS = 0.15;

export class GateCounts {
  readonly element: HTMLElement;
  #rows = new Map<number, Row>();
  #passing = el("b", { class: "num" });
  #total = el("span", { class: "num quiet" });
  #passingBar = el("span", { class: "logic-left-bar" });

  constructor(highlight: (kind: number | null) => void) {
    const list = el("ul", { class: "logic-kinds" });
    for (const [kind, name] of NAMES.entries()) {
      if (kind === PASS) continue;
      const bar = el("span", { class: "kind-bar" });
      const count = el("span", { class: "kind-count num" });
      const element = el(
        "li",
        { class: "kind", title: `${name}: point at it to find these gates` },
        glyph(kind),
        el("span", { class: "kind-name", text: name }),
        el("span", { class: "kind-track" }, bar),
        count,
      );
      listen(element, {
        pointerenter: () => highlight(kind),
        pointerleave: () => highlight(null),
      });
      this.#rows.set(kind, { element, bar, count, shown: 0 });
      list.append(element);
    }
    this.element = el(
      "div",
      { class: "logic-gate-counts" },
      el(
        "p",
        { class: "logic-left" },
        "Gates that still pass their input on ",
        el("span", {}, this.#passing, " ", this.#total),
      ),
      el("span", { class: "logic-left-track", "aria-hidden": "true" }, this.#passingBar),
      list,
    );
  }

  draw(counts: number[], seconds: number): void {
    const all = counts.reduce((a, b) => a + b, 0);
    const left = counts[PASS] ?? 0;
    write(this.#passing, formatInteger(left));
    write(this.#total, `of ${formatInteger(all)}`);
    this.#passingBar.style.transform = `scaleX(${(left / Math.max(1, all)).toFixed(4)})`;
    const most = Math.max(8, ...counts.map((count, kind) => (kind === PASS ? 0 : count)));
    const step = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    for (const [kind, row] of this.#rows) {
      const count = counts[kind] ?? 0;
      row.shown += (count / most - row.shown) * step;
      row.bar.style.transform = `scaleX(${row.shown.toFixed(3)})`;
      row.element.classList.toggle("none", count === 0);
      write(row.count, formatInteger(count));
    }
  }
}
