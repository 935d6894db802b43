// What stands on the board: the address of a class as a QR code and as a text, and its short code in large letters.

import { button, el, listen } from "../core/dom";
import { copyButton } from "../ui/copy";
import { createDialog } from "../ui/dialog";
import { qrCode } from "./qr";

/**
 * The board of a class with this address and this code, each of which may be empty. `words` say what pupils do with
 * them.
 */
export async function boardOf(address: string, code: string, words: string): Promise<HTMLElement> {
  const said = [
    code !== "" && el("p", {}, "Code: ", el("strong", { class: "class-short", text: code })),
    el("p", { class: "quiet small", text: words }),
  ];
  if (address === "") return el("div", { class: "class-board class-card" }, el("div", {}, ...said));
  const field = el("input", { class: "copyable", readonly: true, "aria-label": "Link for the pupils" });
  field.value = address;
  listen(field, { focus: () => field.select() });
  const picture = await qrCode(address, "QR code for the pupils").catch(() => null);
  const large = picture && button("Show it large", () => showLarge(picture, code));
  return el(
    "div",
    { class: "class-board class-card" },
    picture,
    el(
      "div",
      {},
      el("p", { class: "label", text: "Link for the pupils" }),
      el(
        "div",
        { class: "copy-row" },
        field,
        copyButton("Copy", () => address, { select: () => field.select() }),
      ),
      ...said,
      large && el("p", { class: "row" }, large),
    ),
  );
}

function showLarge(picture: SVGSVGElement, code: string): void {
  const dialog = createDialog(
    {
      class: "class-large",
      titleId: "class-large-title",
      title: `Class ${code}`.trim(),
      closed: () => dialog.remove(),
    },
    picture.cloneNode(true),
    el(
      "p",
      { class: "dialog-actions" },
      button("Close", () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
