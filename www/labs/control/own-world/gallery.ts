// The row of worlds to begin with: the visitor's own texts, then the examples, each with its sentence.

import { el } from "../../../core/dom";
import { EXAMPLES } from "./examples";
import { aboutOf, titleOf, type KeptText } from "./kept-texts";

export class Gallery {
  readonly element = el("div", { class: "own-world-gallery", role: "group", "aria-label": "Worlds to begin with" });
  #own = new Map<string, HTMLButtonElement>();
  #examples: [text: string, card: HTMLButtonElement][];

  /** `open` is called with a text, and its id if it is the visitor's own. */
  constructor(readonly open: (text: string, id: string | null) => void) {
    this.#examples = EXAMPLES.map(({ title, about, text }) => [text, card(title, about, () => open(text, null))]);
  }

  /** Shows the visitor's texts, and which text is open. */
  show(own: readonly KeptText[], openId: string | null, openText: string): void {
    const focused = this.#focused();
    this.#own = new Map(
      own.map(({ id, text }) => [id, card(`${titleOf(text)} (yours)`, aboutOf(text), () => this.open(text, id))]),
    );
    for (const [id, each] of this.#own) each.setAttribute("aria-pressed", String(id === openId));
    for (const [text, each] of this.#examples)
      each.setAttribute("aria-pressed", String(openId === null && text === openText));
    const { scrollLeft } = this.element;
    this.element.replaceChildren(...this.#own.values(), ...this.#examples.map(([, each]) => each));
    // The newest text of the visitor's own comes first.
    this.element.scrollLeft = openId !== null && openId === own[0]?.id ? 0 : scrollLeft;
    // A card that is taken out of the page loses the focus.
    if (focused !== null) this.#card(focused, openId, openText)?.focus({ preventScroll: true });
  }

  /** The card that has the focus: an example's, or the id of one of the visitor's own texts; null if none has it. */
  #focused(): HTMLButtonElement | string | null {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLButtonElement) || !this.element.contains(activeElement)) return null;
    return [...this.#own].find(([, each]) => each === activeElement)?.[0] ?? activeElement;
  }

  /** The card that had the focus, or that of the open text if it is gone. */
  #card(focused: HTMLButtonElement | string, openId: string | null, openText: string): HTMLButtonElement | undefined {
    if (typeof focused !== "string") return focused;
    const open = openId === null ? this.#examples.find(([text]) => text === openText)?.[1] : this.#own.get(openId);
    return this.#own.get(focused) ?? open;
  }
}

function card(title: string, about: string, press: () => void): HTMLButtonElement {
  return el(
    "button",
    { type: "button", class: "own-world-card", on: { click: press } },
    el("span", { class: "own-world-name", text: title }),
    el("span", { class: "own-world-about", text: about }),
  );
}
