// A QR code in a dialog of its own, as large as the window lets it, for cameras that are further away.

import { button, el } from "../core/dom";
import { createDialog } from "../ui/dialog";

/** The button that opens it. */
export const enlargeButton = (qr: SVGSVGElement, title: string): HTMLButtonElement =>
  button("Enlarge the QR code", () => enlarge(qr, title));

function enlarge(qr: SVGSVGElement, title: string): void {
  const dialog = createDialog(
    { class: "class-large", titleId: "class-large-title", title, closed: () => dialog.remove() },
    qr.cloneNode(true),
    el(
      "p",
      { class: "dialog-actions" },
      button("Close", () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
