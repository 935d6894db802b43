// Takes a match file that a visitor drops on the page or chooses, and has its decisions judged (analysis.ts).

import { dialogIsOpen } from "../../../core/dom";
import { droppedFile } from "../../../ui/drop";
import { boardOpened, type MatchFileOwner } from "./board-owner";

/** The endings of names that the lab reads, and what the file chooser offers. */
const MATCH_FILE_PATTERN = /\.(mat|sgf|txt)$/i;
export const MATCH_FILES = ".mat,.sgf,.txt";

const NOT_LOADED_TEXT = "The analysis could not be loaded. Check the network connection.";

export class MatchFile {
  readonly #owner: MatchFileOwner;
  /** Called when the board is gone. */
  readonly #end: () => void;
  /** Loaded when the first file is opened. */
  #analysis: typeof import("./analysis") | null = null;

  constructor(owner: MatchFileOwner) {
    this.#owner = owner;
    this.#end = boardOpened(owner);
    // In the capture phase it comes before the page's own listener, which takes dropped files for checkpoints.
    addEventListener("drop", this.#onDrop, { capture: true });
  }

  /** Ends what belongs to the board. An analysis under way goes on. */
  destroy(): void {
    removeEventListener("drop", this.#onDrop, { capture: true });
    this.#end();
    this.#analysis?.boardClosed();
  }

  async open(file: File): Promise<void> {
    this.#owner.showProblem("");
    this.#analysis = await import("./analysis").catch(() => null);
    if (this.#analysis) this.#analysis.analyse(file, this.#owner.bundle);
    else this.#owner.showProblem(NOT_LOADED_TEXT);
  }

  #onDrop = (event: DragEvent): void => {
    if (event.defaultPrevented || !this.#owner.isShown()) return;
    const dropped = droppedFile(event);
    if (!dropped || !("file" in dropped) || !MATCH_FILE_PATTERN.test(dropped.file.name)) return;
    event.preventDefault();
    // Another dialog would lie over the match.
    if (!dialogIsOpen() || document.querySelector(".match-viewer[open]")) void this.open(dropped.file);
  };
}
