// Takes a match file that a visitor drops on the page or chooses, and has the lab judge its decisions. A dialog shows
// how far that is, and then the match (viewer.ts).

import { dialogIsOpen } from "../../../core/dom";
import { droppedFile } from "../../../ui/drop";
import type { BackgammonAnalysedMatch, BackgammonCommand, BackgammonOpenedMatch } from "../../../generated/protocol";
import { base64 } from "../base64";
import type { SetUp } from "../set-up/xgid";
import type { Judging } from "./judging";

/** The endings of names that the lab reads, and what the file chooser offers. */
const MATCH_FILE_PATTERN = /\.(mat|sgf|txt)$/i;
export const MATCH_FILES = ".mat,.sgf,.txt";
/** The lab refuses larger files. */
const MAX_MEGABYTES = 4;

const NOT_LOADED_TEXT = "The analysis could not be loaded. Check the network connection.";
/** The lab begins its sentences about match files with this text. */
const MATCH_PREFIX = "The match: ";

/** What the match file needs of the game on the board. */
export interface MatchFileOwner {
  send: (command: BackgammonCommand) => void;
  /** Sends the expert's network to the lab, unless it is there; `false` if it could not be loaded. */
  inviteExpert: () => Promise<boolean>;
  /** Says what is wrong; an empty text ends that. */
  showProblem: (problem: string) => void;
  /** Opens the dialog in which a position is set up. */
  setUp: (setUp: SetUp) => void;
  /** Whether the board is on the screen. In a look back another game has taken its place. */
  isShown: () => boolean;
  /** Scrolls the board into view: the lab judges only while its picture is seen. */
  reveal: () => void;
}

/** An analysis under way. */
interface Analysis {
  /** Made when its code is loaded. */
  judging: Judging | null;
  /** Whether the result has arrived. */
  complete: boolean;
}

export class MatchFile {
  /** Null once the analysis is shown, refused or cancelled. */
  #analysis: Analysis | null = null;
  /** The dialog with the match, until it is closed. */
  #viewer: HTMLDialogElement | null = null;
  #owner: MatchFileOwner;

  constructor(owner: MatchFileOwner) {
    this.#owner = owner;
    // In the capture phase it comes before the page's own listener, which takes dropped files for checkpoints.
    addEventListener("drop", this.#onDrop, { capture: true });
  }

  destroy(): void {
    removeEventListener("drop", this.#onDrop, { capture: true });
    this.#cancel(this.#analysis);
    this.#viewer?.close();
  }

  /** Another run was opened, which knows nothing of the file. */
  runOpened(): void {
    if (this.#analysis) this.#refuse("Another run was opened, so the analysis has ended.");
  }

  async open(file: File): Promise<void> {
    if (this.#analysis) return;
    const { send, inviteExpert, showProblem, reveal } = this.#owner;
    this.#viewer?.close();
    showProblem("");
    reveal();
    const analysis: Analysis = { judging: null, complete: false };
    this.#analysis = analysis;
    const module = await import("./judging").catch(() => null);
    if (this.#analysis !== analysis) return;
    if (!module) {
      this.#analysis = null;
      return showProblem(NOT_LOADED_TEXT);
    }
    analysis.judging = new module.Judging(file.name, () => this.#cancel(analysis));
    if (file.size > MAX_MEGABYTES * 2 ** 20)
      return this.#refuse(`The file is larger than ${MAX_MEGABYTES} MB, the limit for match files.`);
    const content = await base64(file).catch(() => null);
    const hasJudge = content !== null && (await inviteExpert());
    // The visitor may have closed the dialog meanwhile.
    if (this.#analysis !== analysis) return;
    if (content === null) this.#refuse("The file could not be read.");
    else if (!hasJudge) this.#refuse(NOT_LOADED_TEXT);
    else send({ type: "openMatch", file: content });
  }

  /** The lab has refused a command. Returns whether that was about the file. */
  refused(sentence: string): boolean {
    const isAboutFile = this.#analysis !== null && sentence.startsWith(MATCH_PREFIX);
    if (isAboutFile) this.#refuse(sentence);
    return isAboutFile;
  }

  draw(opened: BackgammonOpenedMatch | null): void {
    const analysis = this.#analysis;
    if (!opened || !analysis?.judging || analysis.complete) return;
    analysis.judging.draw(opened);
    if (opened.analysed) void this.#show(analysis, opened.analysed);
  }

  /** Shows the result in place of the progress. */
  async #show(analysis: Analysis, analysed: BackgammonAnalysedMatch): Promise<void> {
    analysis.complete = true;
    const module = await import("./viewer").catch(() => null);
    if (this.#analysis !== analysis) return;
    if (!module) return this.#refuse(NOT_LOADED_TEXT);
    this.#end(analysis);
    this.#viewer = module.openViewer(analysed, this.#owner.setUp);
  }

  /** Says why there is no analysis. The dialog stays until the visitor closes it. */
  #refuse(sentence: string): void {
    this.#analysis?.judging?.refuse(sentence);
    this.#analysis = null;
    this.#owner.send({ type: "closeMatch" });
  }

  #cancel(analysis: Analysis | null): void {
    if (analysis && this.#analysis === analysis) this.#end(analysis);
  }

  #end(analysis: Analysis): void {
    this.#analysis = null;
    analysis.judging?.close();
    this.#owner.send({ type: "closeMatch" });
  }

  #onDrop = (event: DragEvent): void => {
    if (event.defaultPrevented || !this.#owner.isShown()) return;
    const dropped = droppedFile(event);
    if (!dropped || !("file" in dropped) || !MATCH_FILE_PATTERN.test(dropped.file.name)) return;
    event.preventDefault();
    // Another dialog would lie over that of the file.
    if (!dialogIsOpen() || this.#viewer?.open) void this.open(dropped.file);
  };
}
