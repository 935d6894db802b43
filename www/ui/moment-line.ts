// The line above the picture that a link carries: whose picture it is, how far the replay behind it is, a way out, and
// in the end whether the replay came to the sender's agent, and measured the score and the curve of the link.

import type { BundleChoice } from "../core/bundle";
import { button, el, write } from "../core/dom";
import { formatEstimate, sentenceEnd } from "../core/format";
import { fitsRun } from "../core/moment-fit";
import { withoutHidden, type HiddenPart } from "../core/link";
import type { LinkMoment } from "../core/moment-link";
import type { Replay, ReplayEnd } from "../core/replay";
import { reason, roundsOtherwise } from "./replay-line";
import "../style/replay.css";
import "../style/moment.css";

export interface MomentLineActions {
  /** Shows the replay instead of the recorded picture, or that again. */
  watch: (replay: boolean) => void;
  /** Gives the replay up, and starts a run of the visitor's own with the same settings. */
  afresh: () => void;
}

export class MomentLine {
  readonly element: HTMLElement;
  #words = el("p", { class: "replay-words", role: "status" });
  /** How far it is; not spoken, because it changes all the time. */
  #count = el("span", { class: "num moment-count" });
  #bar = el("progress", { "aria-label": "Replay" });
  #watch: HTMLButtonElement;
  #afresh: HTMLButtonElement;
  #watches = false;

  constructor(
    readonly unit: string,
    readonly moment: Pick<LinkMoment, "headline">,
    actions: MomentLineActions,
  ) {
    this.#watch = button(WATCH, () => {
      this.#watches = !this.#watches;
      write(this.#watch, this.#watches ? SHOW_RECORDED : WATCH);
      actions.watch(this.#watches);
    });
    this.#afresh = button("Start afresh here", actions.afresh, {
      title: "Gives the replay up, and starts a run of your own with the same settings and seed",
    });
    const buttons = el("span", { class: "moment-buttons" }, this.#watch, this.#afresh);
    this.element = el("div", { class: "replay-line moment-line" }, this.#words, this.#count, this.#bar, buttons);
    this.say(RECORDED_WORDS);
  }

  /** Says what is shown until the replay arrives. */
  say(text: string): void {
    write(this.#words, text);
  }

  /** Follows a replay to its end. `hidden` is what the link hides. */
  follow(replay: Replay, bits: () => BundleChoice["bits"], hidden: HiddenPart | null): void {
    this.#bar.max = Math.max(1, replay.last);
    let begun: { at: number; units: number } | null = null;
    replay.on("progress", ({ units, last }) => {
      const now = performance.now();
      begun ??= { at: now, units };
      const left = timeLeft((now - begun.at) / 1000, units - begun.units, last - units);
      const share = Math.floor((100 * units) / Math.max(1, last));
      write(this.#count, `Replaying to ${this.unit} ${last}: ${share}%${left}`);
      this.#bar.value = units;
    });
    replay.on("ended", (end) => {
      const told = end.kind === "refused" ? { ...end, message: withoutHidden(end.message, hidden) } : end;
      this.#show(told, replay, bits());
    });
  }

  #show(end: ReplayEnd, replay: Replay, bits: BundleChoice["bits"]): void {
    const { headline } = this.moment;
    const fits = headline && end.kind === "same" ? fitsRun(headline, replay.last, replay.run.series) : null;
    const text = endWords(end, this.unit, replay, bits, fits);
    if (text === "") return this.element.remove();
    write(this.#words, text);
    const isWrong = fits === false || end.kind === "different" || end.kind === "refused";
    this.element.classList.toggle("same", end.kind === "same" && !isWrong);
    this.element.classList.toggle("different", isWrong);
    this.element.classList.add("arrived");
    this.#count.remove();
    this.#bar.remove();
    // A visitor who has pressed a button with the keyboard stays there. Asked first, because a button that is removed
    // loses the focus.
    const hadFocus = [this.#watch, this.#afresh].includes(document.activeElement as HTMLButtonElement);
    this.#watch.remove();
    const close = button("Close", () => this.element.remove());
    this.#afresh.replaceWith(close);
    if (hadFocus) close.focus();
  }
}

/** The replay has to go on for this many seconds before its speed says how long the rest takes. */
const MIN_MEASURED_SECONDS = 2;

/** How long the rest of a replay takes by its speed so far; empty before that is known, and at the end. */
export function timeLeft(seconds: number, done: number, left: number): string {
  if (seconds < MIN_MEASURED_SECONDS || done <= 0 || left <= 0) return "";
  return `, about ${formatEstimate((seconds / done) * left)} left`;
}

/** What the line says while the recording is shown, and while the replay is. */
export const RECORDED_WORDS =
  "You see what the sender saw, as a recording. Your browser replays the run behind it to check it. The iterations at the bottom are those of the replay.";
export const REPLAY_WORDS =
  "You see the sender's run as your browser replays it. It is not where the sender saw it yet.";

const WATCH = "Watch the replay";
const SHOW_RECORDED = "Show the recording";

/**
 * What the line says in the end; nothing if the visitor has taken over. `fits` is whether the run of the link has
 * measured the score and the curve that the link shows; null if it shows none.
 */
export function endWords(
  end: ReplayEnd,
  unit: string,
  { last, run }: Pick<Replay, "last" | "run">,
  bits: BundleChoice["bits"],
  fits: boolean | null,
): string {
  switch (end.kind) {
    case "same":
      if (fits === false)
        return (
          `Differs: your browser came to exactly the same agent at ${unit} ${last}, but measured another score or curve ` +
          "than the link shows. The link may have been edited."
        );
      return (
        `The run is verified: your browser came to exactly the same agent at ${unit} ${last}` +
        `${fits ? ", with the score and the curve that the link shows" : ""}. ` +
        "The recorded picture itself was not compared."
      );
    case "done":
      return `Replayed to ${unit} ${last}. The link has no fingerprint, so the recording was not checked.`;
    case "stopped":
    case "left":
      return "";
    case "refused":
      return `The replay stopped at ${unit} ${run.progress.units}, so the recording was not checked: ${sentenceEnd(end.message)}`;
    case "different": {
      const how = roundsOtherwise(end, bits) ? "Replayed with other rounding" : `Differs at ${unit} ${last}`;
      return `${how}: ${reason(end, bits)}`;
    }
  }
}
