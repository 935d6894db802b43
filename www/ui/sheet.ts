// A sheet at the lower edge of a narrow window, above the dock: it shows a part of the page that has no room beside the
// picture, and leaves the picture and the dock in sight and in use. Escape closes it.

import { el, listen } from "../core/dom";
import { icon, type Icon } from "./icons";

export class Sheet {
  readonly element: HTMLDialogElement;
  /** Opens and closes the sheet. */
  readonly button: HTMLButtonElement;
  /** The place of the content. */
  readonly content = el("div", { class: "sheet-content" });

  constructor(
    title: string,
    sign: Icon,
    /** Called before the sheet is shown, and after it was closed. */
    readonly toggled: (open: boolean) => void,
  ) {
    const close = el("button", {
      type: "button",
      class: "tool sheet-close",
      "aria-label": "Close",
      on: { click: () => this.close() },
    });
    close.append(icon("close"));
    const id = "sheet-title";
    this.element = el(
      "dialog",
      { class: "sheet", "aria-labelledby": id },
      el("div", { class: "sheet-head" }, el("h2", { id, text: title }), close),
      this.content,
    );
    this.button = el(
      "button",
      { type: "button", class: "button sheet-button", "aria-expanded": "false", on: { click: () => this.#toggle() } },
      icon(sign),
      title,
    );
    listen(this.element, {
      keydown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        this.close();
      },
    });
  }

  #toggle(): void {
    if (this.element.open) {
      this.close();
      return;
    }
    this.toggled(true);
    this.element.show();
    this.button.setAttribute("aria-expanded", "true");
  }

  /** Closes the sheet, and gives the focus back to its button. */
  close(): void {
    if (!this.element.open) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.close();
    this.button.setAttribute("aria-expanded", "false");
    if (hadFocus) this.button.focus({ preventScroll: true });
    this.toggled(false);
  }
}
