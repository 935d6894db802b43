// Reads the output of cargo while it runs: the progress for the page, and the text for the terminal.

import { stripVTControlCharacters } from "node:util";

/** Cargo's progress, such as "Building [====>   ] 34/120: serde". */
const PROGRESS_PATTERN = /^\s*Building \[[=> ]*\] (\d+)\/(\d+)/;

export class CargoOutput {
  /** Everything but the progress. */
  text = "";
  /** The beginning of a line whose end has not arrived. */
  #rest = "";
  #terminal;
  #onProgress;

  /** Passes the output on to `terminal`, if there is one, and the fraction that is done to `onProgress`. */
  constructor(terminal, onProgress) {
    this.#terminal = terminal;
    this.#onProgress = onProgress;
  }

  /** What cargo needs in its environment to report progress into a pipe. */
  static environment({ isTTY, columns = 80 }) {
    return {
      CARGO_TERM_PROGRESS_WHEN: "always",
      CARGO_TERM_PROGRESS_WIDTH: String(Math.min(columns, 80)),
      CARGO_TERM_COLOR: isTTY ? "always" : "never",
    };
  }

  /** Reads the next piece of the output. */
  add(piece) {
    // A terminal shows the progress, which cargo overwrites each time. Elsewhere it would fill a file.
    if (this.#terminal?.isTTY) this.#terminal.write(piece);
    const lines = (this.#rest + piece).split(/(?<=[\r\n])/);
    this.#rest = /[\r\n]$/.test(lines.at(-1)) ? "" : lines.pop();
    for (const line of lines) this.#addLine(line);
  }

  #addLine(line) {
    const progress = PROGRESS_PATTERN.exec(stripVTControlCharacters(line));
    if (progress) this.#onProgress(Number(progress[1]) / Number(progress[2]));
    // Cargo ends a line of progress with a carriage return.
    if (line.endsWith("\r")) return;
    this.text += line;
    if (this.#terminal && !this.#terminal.isTTY) this.#terminal.write(line);
  }
}
