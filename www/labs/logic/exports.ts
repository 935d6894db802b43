// The buttons that download the pruned circuit as a file, which the lab's tool `export` writes.

import { button, el } from "../../core/dom";
import { download } from "../../core/checkpoint";
import type { Run } from "../../core/run";
import type { LogicExport, LogicFormat } from "../../generated/protocol";

/** The file formats with their buttons. */
const FORMATS: [format: LogicFormat, label: string, title: string][] = [
  ["verilog", "Verilog", "Download as Verilog, for a chip: one cell, and a grid of such cells"],
  ["c", "C", "Download as a C program that computes 64 cells at once"],
  ["wgsl", "WGSL", "Download as a shader for a GPU"],
  ["json", "JSON", "Download gates and wires, for other programs"],
];

export class Exports {
  readonly element: HTMLElement;

  constructor(readonly run: Run) {
    const buttons = FORMATS.map(([format, label, title]) =>
      button(label, () => void this.#download(format), { title, class: "small" }),
    );
    this.element = el(
      "span",
      { class: "logic-exports", role: "group", "aria-label": "Download the circuit as" },
      ...buttons,
    );
  }

  /** The text of the present circuit as JSON. */
  async read(): Promise<string> {
    return (await this.#export("json"))?.text ?? "";
  }

  async #download(format: LogicFormat): Promise<void> {
    // Any circuit can be exported, so it fails only if the worker ends, which the page says itself.
    const file = await this.#export(format).catch(() => null);
    if (file) download(file.name, new TextEncoder().encode(file.text));
  }

  async #export(format: LogicFormat): Promise<LogicExport | null> {
    return (await this.run.ask("export", { format })).output;
  }
}
