// The buttons that export the pruned circuit as a file. The lab writes the file's text; this class downloads it, or
// gives it to the large grid.

import { button, el } from "../../core/dom";
import { download } from "../../core/checkpoint";
import type { LogicExport, LogicCommand, LogicFormat } from "../../generated/protocol";

/** The file formats with their buttons. */
const FORMATS: [format: LogicFormat, label: string, title: string][] = [
  ["verilog", "Verilog", "Download as Verilog, for a chip: one cell, and a grid of such cells"],
  ["c", "C", "Download as a C program that computes 64 cells at once"],
  ["wgsl", "WGSL", "Download as a shader for a GPU"],
  ["json", "JSON", "Download gates and wires, for other programs"],
];

export class Exports {
  readonly element: HTMLElement;
  #send: (command: LogicCommand) => void;
  /**
   * The name of the downloaded file. Views go on containing the file until the lab has received the command `taken`.
   */
  #downloaded: string | null = null;
  /** Waits for the text of the circuit as JSON. */
  #reader: ((text: string) => void) | null = null;

  constructor(send: (command: LogicCommand) => void) {
    this.#send = send;
    const buttons = FORMATS.map(([format, label, title]) =>
      button(label, () => send({ type: "export", format }), { title, class: "small" }),
    );
    this.element = el(
      "span",
      { class: "logic-exports", role: "group", "aria-label": "Download the circuit as" },
      ...buttons,
    );
  }

  /** The text of the present circuit as JSON. */
  read(): Promise<string> {
    const text = new Promise<string>((resolve) => (this.#reader = resolve));
    this.#send({ type: "export", format: "json" });
    return text;
  }

  /** Downloads a new export. */
  draw(exported: LogicExport | null): void {
    if (!exported) {
      this.#downloaded = null;
      return;
    }
    if (this.#downloaded === exported.name) return;
    this.#downloaded = exported.name;
    if (this.#reader && exported.name.endsWith(".json")) {
      this.#reader(exported.text);
      this.#reader = null;
    } else {
      download(exported.name, new TextEncoder().encode(exported.text));
    }
    this.#send({ type: "taken" });
  }
}
