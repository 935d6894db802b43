// Stands in place of the dialog "Your own world" where a link hides the editor or the rules of a world that cannot be
// read: no other world may take its place.

import { button, el } from "../../../core/dom";
import { createDialog } from "../../../ui/dialog";
import "./own-world.css";

export const UNREADABLE = "The world of this link cannot be read: it is damaged or too long.";

const ASK_AGAIN =
  "Ask whoever gave you the link for a new one. Behind this window the lab shows another world instead.";

let opened: HTMLDialogElement | null = null;

/** Says why there is no world to show. */
export function openRefusal(title: string, why: string): void {
  closeRefusal();
  const dialog = createDialog(
    {
      class: "own-world-refusal",
      titleId: "own-world-refusal-title",
      title,
      closed: () => {
        dialog.remove();
        if (opened === dialog) opened = null;
      },
    },
    el("p", { text: `${why} ${ASK_AGAIN}` }),
    el(
      "div",
      { class: "dialog-actions" },
      button("Close", () => dialog.close(), { class: "primary" }),
    ),
  );
  opened = dialog;
  document.body.append(dialog);
  dialog.showModal();
}

export function closeRefusal(): void {
  opened?.close();
}
