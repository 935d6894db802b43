// Receives files (checkpoints and recipes) that are dropped anywhere on the page. What is wrong with a file is said
// where it was dropped.

import { button, el, write } from "../core/dom";

/**
 * Tells the visitor what happens to a file, at the place where it was dropped or chosen. An empty text ends that;
 * `wrong` means that the file is refused.
 */
export type Report = (text: string, wrong?: boolean) => void;

/** A message keeps this distance from the edges of the window. */
const MARGIN_PX = 16;

/** The single dropped file, or what is wrong with what was dropped; null if that contains no file. */
export function droppedFile({ dataTransfer }: DragEvent): { file: File } | { problem: string } | null {
  const file = dataTransfer?.files[0];
  if (!dataTransfer || !file) return null;
  if (dataTransfer.files.length > 1) return { problem: "Only one file can be opened at a time." };
  const item = [...dataTransfer.items].find(({ kind }) => kind === "file");
  if (item?.webkitGetAsEntry?.()?.isDirectory) return { problem: `${file.name} is a folder. Drop a single file.` };
  return { file };
}

/** Calls `open` with a dropped file. While a file is dragged over the page, a veil says that it can be dropped. */
export function listenFileDrops(open: (file: File, report: Report) => void): void {
  const veil = el("div", { class: "drop-veil", hidden: true }, el("p", { text: "Drop the file to open it" }));
  document.body.append(veil);
  const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => (veil.hidden = !hasFile(event)));
  addEventListener("dragover", (event) => hasFile(event) && event.preventDefault());
  // Without a related target, the pointer has left the window and not only an element of the page.
  addEventListener("dragleave", (event) => event.relatedTarget === null && (veil.hidden = true));
  // A message about the lab that was shown before would cover the next one.
  addEventListener("hashchange", () => shown?.remove());
  addEventListener("drop", (event) => {
    veil.hidden = true;
    // A lab that has accepted the file itself has prevented the default action.
    const dropped = event.defaultPrevented ? null : droppedFile(event);
    if (!dropped) return;
    event.preventDefault();
    const report = messageAt(event.clientX, event.clientY);
    if ("file" in dropped) open(dropped.file, report);
    else report(dropped.problem, true);
  });
}

/** The message that is shown now. */
let shown: HTMLElement | null = null;

/** Shows messages at a point of the window. */
function messageAt(x: number, y: number): Report {
  shown?.remove();
  const words = el("span", {});
  const close = button("Close", () => message.remove());
  const message = el("p", { class: "notice drop-message", role: "alert" }, words, close);
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape") message.remove();
    if (!message.isConnected) removeEventListener("keydown", onKey);
  };
  addEventListener("keydown", onKey);
  return (text, wrong = false) => {
    if (text === "") return message.remove();
    write(words, text);
    message.classList.toggle("wrong", wrong);
    close.hidden = !wrong;
    if (!message.isConnected) document.body.append((shown = message));
    const { width, height } = message.getBoundingClientRect();
    const within = (at: number, size: number, space: number) =>
      Math.max(MARGIN_PX, Math.min(at - size / 2, space - size - MARGIN_PX));
    message.style.left = `${within(x, width, innerWidth)}px`;
    message.style.top = `${within(y, height, innerHeight)}px`;
  };
}
