// The card in place of a part of the page that is not stored on this device while there is no network. When the network
// is back, the part is loaded again without a click.

import { button, el } from "../core/dom";
import type { NoticeAction } from "./notices";

export class MissingCard {
  readonly element: HTMLElement;
  readonly #retry: () => void;

  /** `part` begins a sentence, such as "This lab". `back` leads to the open run or to the front. */
  constructor(title: string, part: string, retry: () => void, back: NoticeAction | null) {
    // A listener of its own: the card before this one may have registered the same `retry`, and removes it later.
    this.#retry = () => retry();
    this.element = el(
      "div",
      { class: "card missing", role: "alert" },
      el("h2", { text: title }),
      el("p", {
        text: `${part} is not stored on this device and there is no network. It will load as soon as there is one.`,
      }),
      el("p", { class: "row" }, button("Try again", retry), back && button(back.label, back.run)),
    );
    addEventListener("online", this.#retry);
  }

  destroy(): void {
    removeEventListener("online", this.#retry);
  }
}
