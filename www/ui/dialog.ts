// Creates modal dialogs in the page's style. Escape, or a click outside the dialog, closes it.

import { el, listen } from "../core/dom";
import "../style/dialog.css";

interface DialogOptions {
  class?: string;
  /** The id of the heading, which names the dialog. */
  titleId: string;
  title: string;
  /** Called when the dialog has been closed in any way. */
  closed?: () => void;
}

/** Creates a dialog with a heading and these children. The owner adds it to the page and calls `showModal`. */
export function createDialog(
  { class: extraClass, titleId, title, closed }: DialogOptions,
  ...children: (Node | null | undefined | false)[]
): HTMLDialogElement {
  const heading = el("h2", { id: titleId, text: title });
  const dialog = el(
    "dialog",
    { class: extraClass ? `dialog ${extraClass}` : "dialog", "aria-labelledby": titleId },
    heading,
    ...children,
  );
  // A click on the backdrop has the dialog itself as its target, as has one on its padding. A press inside that is
  // released on the backdrop, as when text is selected, is no such click.
  const isOutside = (event: MouseEvent) => event.target === dialog && !isWithin(dialog, event);
  let pressedOutside = false;
  listen(dialog, {
    pointerdown: (event) => (pressedOutside = isOutside(event)),
    click: (event) => pressedOutside && isOutside(event) && dialog.close(),
    close: () => closed?.(),
  });
  return dialog;
}

/** Whether an event happened within the box of an element. */
function isWithin(element: Element, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
