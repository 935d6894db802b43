// Receives checkpoint files that are dropped anywhere on the page.

import { el } from "../core/dom";

/** Calls `open` with a dropped file. While a file is dragged over the page, a veil says that it can be dropped. */
export function listenFileDrops(open: (file: File) => void): void {
  const veil = el("div", { class: "drop-veil", hidden: true }, el("p", { text: "Drop a file to open it" }));
  document.body.append(veil);
  const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => (veil.hidden = !hasFile(event)));
  addEventListener("dragover", (event) => hasFile(event) && event.preventDefault());
  // Without a related target, the pointer has left the window and not only an element of the page.
  addEventListener("dragleave", (event) => event.relatedTarget === null && (veil.hidden = true));
  addEventListener("drop", (event) => {
    veil.hidden = true;
    const file = event.dataTransfer?.files[0];
    // A lab that has accepted the file itself has prevented the default action.
    if (!file || event.defaultPrevented) return;
    event.preventDefault();
    open(file);
  });
}
