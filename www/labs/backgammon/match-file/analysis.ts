// The analysis of a match: the tool `analyse` judges its decisions with the expert network. A card shows the progress;
// the rest of the page stays usable, and the analysis goes on when another lab is opened. When it is complete, the
// match is shown (viewer.ts). Loaded when a file is opened, or when a match that was played here is analysed.

import "./match-file.css";
import { ToolRefusal } from "../../../core/ask";
import type { BundleChoice } from "../../../core/bundle";
import { button, dialogIsOpen, el, write } from "../../../core/dom";
import { askApart } from "../../../core/tools-worker";
import { Choices } from "../../../ui/choices";
import type { BackgammonAnalysedMatch, BackgammonAnalyseOutput } from "../../../generated/protocol";
import { readExpert } from "../expert";
import { describeRefusal } from "../refusal";
import { boardInSight } from "./board-owner";
import { atPlies, choosePlies } from "./plies";

/** The longest matches have about 100 kB. */
const MAX_MEGABYTES = 4;

const NO_TRAINER_TEXT = "The trainer could not be loaded. Check the network connection.";
const NO_EXPERT_TEXT = "The expert network could not be loaded. Check the network connection.";
const NO_VIEWER_TEXT =
  "The match could not be shown: a part of the page could not be loaded. Check the network connection.";
const NOT_LOADED_TEXT = "The analysis could not be loaded. Check the network connection.";

/** The analysis on the page; null without one. */
let current: Analysis | null = null;
/** The plies of lookahead that the visitor has chosen last. */
let chosenPlies = 0;

/** Analyses a match file, in place of another one. `bundle` is what this browser computes with. */
export function analyse(file: File, bundle: BundleChoice): void {
  current?.close();
  current = new Analysis(file, bundle);
}

class Analysis {
  #bar = el("progress", { max: 1, value: 0, "aria-label": "Judged decisions" });
  #text = el("p", {});
  #plies: Choices<number>;
  #show = button("Show", () => void this.#openViewer(), { class: "primary" });
  #end = button("Cancel", () => this.close());
  /** Shows the progress, the end, or a failure. */
  #card: HTMLElement;
  /** Cancels the open question to the tool. */
  #question = new AbortController();
  #output: BackgammonAnalyseOutput | null = null;
  #viewer: HTMLDialogElement | null = null;

  constructor(
    readonly file: File,
    readonly bundle: BundleChoice,
  ) {
    const title = `Analysis of ${file.name}`;
    this.#plies = choosePlies("Lookahead", (plies) => this.#ask(plies));
    this.#card = el(
      "section",
      { class: "match-analysis", "aria-label": title },
      el("h2", { text: title }),
      this.#text,
      this.#bar,
      el("div", { class: "button-group" }, this.#plies.element, this.#show, this.#end),
    );
    document.body.append(this.#card);
    this.#ask(chosenPlies);
  }

  close(): void {
    this.#question.abort();
    this.#card.remove();
    this.#viewer?.close();
    if (current === this) current = null;
  }

  /** Closes the dialog with the match, if it is open. */
  closeViewer(): void {
    this.#viewer?.close();
  }

  /** Begins anew with these plies of lookahead. */
  #ask(plies: number): void {
    chosenPlies = plies;
    this.#question.abort();
    this.#question = new AbortController();
    this.#plies.show(plies);
    this.#card.hidden = false;
    this.#show.hidden = true;
    this.#bar.hidden = false;
    this.#bar.removeAttribute("value");
    this.#text.removeAttribute("role");
    write(this.#text, "Reading the file…");
    write(this.#end, "Cancel");
    void this.#answer(plies, this.#question.signal);
  }

  async #answer(plies: number, signal: AbortSignal): Promise<void> {
    try {
      if (this.file.size > MAX_MEGABYTES * 2 ** 20)
        throw new ToolRefusal(`The file is larger than ${MAX_MEGABYTES} MB, the limit for match files.`, null);
      const content = await this.file.arrayBuffer().catch(() => null);
      if (!content) throw new ToolRefusal("The file could not be read.", null);
      const network = await readExpert();
      if (signal.aborted) return;
      if (!network) throw new ToolRefusal(NO_EXPERT_TEXT, null);
      const input = { file: this.file.name, plies };
      const { output, partial } = await askApart("backgammon", this.bundle, "analyse", input, {
        source: network,
        file: new Uint8Array(content),
        signal,
        onProgress: ({ share, count }) => {
          this.#bar.value = share;
          write(this.#text, `Judged ${count} of ${Math.round(count / share) || "…"} decisions ${atPlies(plies)}.`);
        },
      });
      if (!output || partial || signal.aborted) return;
      if (output.shown.decisions.length === 0) throw new ToolRefusal("The match has no decision to judge.", null);
      this.#complete(output, plies);
    } catch (error) {
      if (!signal.aborted) this.#refuse(describeRefusal(error, NOT_LOADED_TEXT));
    }
  }

  /** Shows the match where the board of the lab is in sight and no dialog is open; otherwise the visitor opens it. */
  #complete(output: BackgammonAnalyseOutput, plies: number): void {
    this.#output = output;
    this.#bar.hidden = true;
    this.#show.hidden = false;
    write(this.#end, "Close");
    this.#text.setAttribute("role", "status");
    write(this.#text, `All ${output.decisions} decisions are judged ${atPlies(plies)}.`);
    if (boardInSight() && !dialogIsOpen()) void this.#openViewer();
  }

  async #openViewer(): Promise<void> {
    const output = this.#output;
    const module = await import("./viewer").catch(() => null);
    if (!output || current !== this) return;
    if (!module) return this.#refuse(NO_VIEWER_TEXT);
    this.#card.hidden = true;
    this.#viewer = module.openViewer(output, chosenPlies, {
      setUp: boardInSight()?.setUp ?? null,
      again: (plies) => this.#ask(plies),
      practise: (player) => void this.#practise(output.shown, player),
      closed: () => this.#card.hidden && this.close(),
    });
  }

  /** Opens the trainer with the mistakes of a player as cards. */
  async #practise(match: BackgammonAnalysedMatch, player: number): Promise<void> {
    this.#card.hidden = false; // the viewer closes now, and the card can say what fails
    const modules = Promise.all([import("../trainer/trainer"), import("../trainer/card")]);
    const [trainer, card] = (await modules.catch(() => null)) ?? [];
    if (!trainer || !card) return this.#refuse(NO_TRAINER_TEXT);
    this.close();
    trainer.openTrainer(this.bundle, card.cardsOf(match, chosenPlies, player, Date.now()));
  }

  /** Says what has failed. The card stays until it is closed or another match is analysed. */
  #refuse(sentence: string): void {
    this.#bar.hidden = true;
    this.#text.setAttribute("role", "alert");
    write(this.#text, sentence);
    write(this.#end, "Close");
  }
}

/** Closes the dialog with a match, because the board that it was opened from is gone. */
export function boardClosed(): void {
  current?.closeViewer();
}
