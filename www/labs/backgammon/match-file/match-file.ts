// Takes the file of a match that a visitor drops on the page or chooses, and has the lab judge its decisions. A dialog
// shows how far that is, and then the match (viewer.ts).

import { droppedFile } from "../../../ui/drop";
import type { BackgammonCommand, BackgammonOpenedMatch } from "../../../generated/protocol";
import { base64 } from "../base64";
import type { SetUp } from "../set-up/xgid";
import type { Judging } from "./judging";

/** The endings of names that the lab reads, and what the file chooser offers. */
const MATCH_NAME = /\.(mat|sgf|txt)$/i;
export const MATCH_FILES = ".mat,.sgf,.txt";
/** The lab refuses larger files. */
const MAX_MEGABYTES = 4;

const NOT_LOADED = "The analysis could not be loaded. Check the network connection.";

export class MatchFile {
  #judging: Judging | null = null;
  #send: (command: BackgammonCommand) => void;
  #inviteExpert: () => Promise<boolean>;
  #showProblem: (problem: string) => void;
  #setUp: (setUp: SetUp) => void;

  /**
   * `inviteExpert` sends the expert's network to the lab, unless it is there; `false` if it could not be loaded. `setUp`
   * opens the dialog in which a position is set up.
   */
  constructor(
    send: (command: BackgammonCommand) => void,
    inviteExpert: () => Promise<boolean>,
    showProblem: (problem: string) => void,
    setUp: (setUp: SetUp) => void,
  ) {
    this.#send = send;
    this.#inviteExpert = inviteExpert;
    this.#showProblem = showProblem;
    this.#setUp = setUp;
    // In the capture phase it comes before the page's own listener, which takes dropped files for checkpoints.
    addEventListener("drop", this.#onDrop, { capture: true });
  }

  destroy(): void {
    removeEventListener("drop", this.#onDrop, { capture: true });
    this.#judging?.finish();
  }

  /** Whether the dialog of a file is open, to which a refusal by the lab belongs. */
  get isOpen(): boolean {
    return this.#judging !== null;
  }

  async open(file: File): Promise<void> {
    if (this.#judging) return;
    this.#showProblem("");
    if (file.size > MAX_MEGABYTES * 2 ** 20) {
      this.#showProblem(`${file.name} has more than ${MAX_MEGABYTES} megabytes, so it is no match.`);
      return;
    }
    const module = await import("./judging").catch(() => null);
    if (!module) return this.#showProblem(NOT_LOADED);
    const judging = (this.#judging = new module.Judging(file.name, () => {
      this.#judging = null;
      this.#send({ type: "closeMatch" });
    }));
    const content = await base64(file).catch(() => null);
    const hasJudge = content !== null && (await this.#inviteExpert());
    // The visitor may have closed the dialog meanwhile.
    if (this.#judging !== judging) return;
    if (content === null) judging.refuse("the file could not be read");
    else if (!hasJudge) judging.refuse(NOT_LOADED);
    else this.#send({ type: "openMatch", file: content });
  }

  /** Says why the lab has refused the file. */
  refuse(problem: string): void {
    this.#judging?.refuse(problem);
  }

  draw(opened: BackgammonOpenedMatch | null): void {
    const judging = this.#judging;
    if (!judging || !opened) return;
    judging.draw(opened);
    if (!opened.analysed) return;
    this.#judging = null;
    this.#send({ type: "closeMatch" });
    const { analysed } = opened;
    void import("./viewer").then(
      ({ openViewer }) => {
        judging.finish();
        openViewer(analysed, this.#setUp);
      },
      () => judging.refuse(NOT_LOADED),
    );
  }

  #onDrop = (event: DragEvent): void => {
    const dropped = droppedFile(event);
    if (!dropped || !("file" in dropped) || !MATCH_NAME.test(dropped.file.name)) return;
    event.preventDefault();
    void this.open(dropped.file);
  };
}
