// Exports the circuit as a file: for a chip, a compiler, a GPU, or any other program.

import { button, el } from "../../core/dom";
import { download } from "../../core/checkpoint";
import type { LogicExport, LogicCommand, LogicFormat } from "../../generated/protocol";

const FORMATS: [LogicFormat, string, string][] = [
  ["verilog", "Verilog", "For a chip: one cell's logic, and a grid of it"],
  ["c", "C", "A C program that computes sixty-four cells at once"],
  ["wgsl", "WGSL", "A shader for a GPU"],
  ["json", "JSON", "Gates and wires, for any other program"],
];

export class Exports {
  readonly element: HTMLElement;
  #send: (command: LogicCommand) => void;
  /** The export that was already downloaded. The lab offers it until it is told so. */
  #downloaded: string | null = null;

  constructor(send: (command: LogicCommand) => void) {
    this.#send = send;
    const buttons = FORMATS.map(([format, text, title]) =>
      button(text, () => send({ type: "export", format }), { title, class: "small" }),
    );
    this.element = el(
      "span",
      { class: "logic-exports", role: "group", "aria-label": "Save the circuit as" },
      ...buttons,
    );
  }

  draw(exported: LogicExport | null): void {
    if (!exported) {
      this.#downloaded = null;
      return;
    }
    if (this.#downloaded === exported.name) return;
    this.#downloaded = exported.name;
    download(exported.name, new TextEncoder().encode(exported.text));
    this.#send({ type: "taken" });
  }
}
