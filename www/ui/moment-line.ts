// The line above the picture that a link carries: whose picture it is, how far the replay behind it is, a way out, and in
// the end whether the replay has the sender's bits.

import type { BundleChoice } from "../core/bundle";
import { button, el, write } from "../core/dom";
import { sentenceEnd } from "../core/format";
import type { Replay, ReplayEnd } from "../core/replay";
import { reason } from "./replay-line";
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

  /** Follows a replay to its end. */
  follow(replay: Replay, bits: () => BundleChoice["bits"]): void {
    this.#bar.max = Math.max(1, replay.last);
    replay.on("progress", ({ units, last }) => {
      write(this.#count, `Replaying to ${this.unit} ${last}: ${Math.floor((100 * units) / Math.max(1, last))}%`);
      this.#bar.value = units;
    });
    replay.on("ended", (end) => this.#show(end, replay, bits()));
  }

  #show(end: ReplayEnd, replay: Replay, bits: BundleChoice["bits"]): void {
    const text = endWords(end, this.unit, replay, bits);
    if (text === "") return this.element.remove();
    write(this.#words, text);
    this.element.classList.toggle("same", end.kind === "same");
    this.element.classList.toggle("different", end.kind === "different" || end.kind === "refused");
    this.#count.remove();
    this.#bar.remove();
    this.#watch.remove();
    const close = button("Close", () => this.element.remove());
    // A visitor who has pressed a button with the keyboard stays there.
    const hadFocus = [this.#watch, this.#afresh].includes(document.activeElement as HTMLButtonElement);
    this.#afresh.replaceWith(close);
    if (hadFocus) close.focus();
  }
}

/** What the line says while the recording is shown, and while the replay is. */
export const RECORDED_WORDS =
  "You see what the sender saw, as a recording. Your browser repeats the run behind it to check it.";
export const REPLAY_WORDS =
  "You see the sender's run as your browser repeats it. It is not where the sender saw it yet.";

const WATCH = "Watch the replay";
const SHOW_RECORDED = "Show the recording";

/** What the line says in the end; nothing if the visitor has taken over. */
export function endWords(
  end: ReplayEnd,
  unit: string,
  { last, run }: Pick<Replay, "last" | "run">,
  bits: BundleChoice["bits"],
): string {
  switch (end.kind) {
    case "same":
      return `Verified: the same bits. This is the sender's agent at ${unit} ${last}.`;
    case "done":
      return `Replayed to ${unit} ${last}. The link has no fingerprint, so the recording was not checked.`;
    case "stopped":
    case "left":
      return "";
    case "refused":
      return `The replay stopped at ${unit} ${run.progress.units}, so the recording was not checked: ${sentenceEnd(end.message)}`;
    case "different": {
      const isOtherClass = end.expectedClass !== null && end.expectedClass !== bits;
      return `${isOtherClass ? "Replayed with other bits" : `Differs at ${unit} ${last}`}: ${reason(end, bits)}`;
    }
  }
}
