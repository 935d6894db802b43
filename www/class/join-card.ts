// The card with which pupils join a class, for the teacher to project: the address as a QR code and as text, and the
// short code of the class, which is easily copied to the board.

import { el, listen } from "../core/dom";
import { copyButton } from "../ui/copy";
import { enlargeButton } from "./large-qr";
import { qrCode } from "./qr";

interface JoinCardOptions {
  /** The address that pupils open; null if there is none, and then no QR code either. */
  address: string | null;
  /** The short code of the class; null if there is none. */
  code: string | null;
  /** A sentence or two that explain the card. */
  note: string;
}

const TOO_LONG = "The address is too long for a QR code.";
const NOT_MADE = "The QR code could not be made. Check the network connection, and load the page again.";

export async function joinCard({ address, code, note }: JoinCardOptions): Promise<HTMLElement> {
  const texts = [
    code !== null && el("p", {}, "Code: ", el("strong", { class: "class-short", text: code })),
    el("p", { class: "quiet small", text: note }),
  ];
  if (address === null) return el("div", { class: "class-board class-card" }, el("div", {}, ...texts));
  const field = el("input", { class: "copyable", readonly: true, id: "class-address" });
  field.value = address;
  listen(field, { focus: () => field.select() });
  const qr = await qrCode(address, "QR code for the pupils").then(
    (made) => made ?? TOO_LONG,
    () => NOT_MADE,
  );
  const below =
    typeof qr === "string"
      ? el("p", { class: "quiet small", text: qr })
      : el("p", { class: "row" }, enlargeButton(qr, code === null ? "QR code for the pupils" : `Class ${code}`));
  return el(
    "div",
    { class: `class-board class-card ${typeof qr === "string" ? "" : "with-qr"}` },
    typeof qr !== "string" && qr,
    el(
      "div",
      {},
      el("p", { class: "label" }, el("label", { for: "class-address", text: "Link for the pupils" })),
      el(
        "div",
        { class: "copy-row" },
        field,
        copyButton("Copy", () => address, { select: () => field.select() }),
      ),
      ...texts,
      below,
    ),
  );
}
