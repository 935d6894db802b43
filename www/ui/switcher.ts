// The row of labs in the header, on every screen. The lab that is shown, or about to be, is marked.

import { el } from "../core/dom";

export class LabSwitcher {
  readonly element: HTMLElement;
  #links: Map<string, HTMLElement>;

  constructor(labs: { id: string; title: string }[]) {
    this.#links = new Map(labs.map(({ id, title }) => [id, el("a", { href: `#/${id}`, text: title })]));
    this.element = el("ul", { class: "switcher" }, ...[...this.#links.values()].map((link) => el("li", {}, link)));
  }

  /** Marks the lab with this id, or none. */
  mark(lab: string | undefined): void {
    for (const [id, link] of this.#links) {
      if (id !== lab) link.removeAttribute("aria-current");
      else link.setAttribute("aria-current", "page");
    }
    const marked = this.#links.get(lab ?? "");
    // On a phone the row may be wider than the screen. Only the row is scrolled, never the page.
    if (marked) this.element.scrollLeft = marked.offsetLeft - (this.element.clientWidth - marked.offsetWidth) / 2;
  }
}
