// The line above the picture while a link or a recipe file is repeated: how far it is, a button that stops it, and in
// the end whether the result is the same as the recorded one.

import type { BundleChoice } from "../core/bundle";
import { button, el, write } from "../core/dom";
import { sentenceEnd } from "../core/format";
import { withoutHidden, type HiddenPart } from "../core/link";
import type { Replay, ReplayEnd } from "../core/replay";
import "../style/replay.css";

/** The number of digits of a fingerprint that are shown. */
const SHOWN_DIGITS = 16;

export class ReplayLine {
  readonly element: HTMLElement;
  #words = el("span", { class: "replay-words", role: "status" });
  /** How far it is; not spoken, because it changes all the time. */
  #count = el("span", { class: "num" });
  #bar = el("progress", { "aria-label": "Replay" });
  #button: HTMLButtonElement;

  /**
   * `unit` is what the lab calls a unit; `bits` is the class of bits that this tab computes, `hidden` what the page's
   * link hides.
   */
  constructor(
    readonly replay: Replay,
    readonly unit: string,
    readonly bits: () => BundleChoice["bits"],
    readonly hidden: HiddenPart | null = null,
  ) {
    this.#button = button("Stop", () => replay.stop(), { class: "replay-stop" });
    this.element = el("div", { class: "replay-line" }, this.#words, this.#count, this.#bar, this.#button);
    write(this.#words, "Replaying");
    this.#bar.max = Math.max(1, replay.last);
    replay.on("progress", ({ units, last }) => {
      write(this.#count, `${units} of ${last}`);
      this.#bar.value = units;
    });
    replay.on("ended", (end) => this.#show(end));
  }

  #show(end: ReplayEnd): void {
    const told = end.kind === "refused" ? { ...end, message: withoutHidden(end.message, this.hidden) } : end;
    const text = endText(told, this.unit, this.replay, this.bits());
    if (text === "") return this.element.remove();
    write(this.#words, text);
    this.element.classList.toggle("same", end.kind === "same");
    this.element.classList.toggle("different", end.kind === "different" || end.kind === "refused");
    this.#count.remove();
    this.#bar.remove();
    const close = button("Close", () => this.element.remove(), { class: "replay-stop" });
    // A visitor who has pressed the button with the keyboard stays there.
    const hadFocus = document.activeElement === this.#button;
    this.#button.replaceWith(close);
    if (hadFocus) close.focus();
  }
}

/** What the line says in the end; nothing if the visitor has taken over. */
export function endText(
  end: ReplayEnd,
  unit: string,
  { last, plan, run }: Pick<Replay, "last" | "plan" | "run">,
  bits: BundleChoice["bits"],
): string {
  switch (end.kind) {
    case "same":
      return `Same result, bit for bit, at ${unit} ${last}.`;
    case "done":
      return plan.units === null ? "" : `Replayed to ${unit} ${last}. There is no fingerprint to compare it with.`;
    case "stopped":
      return `Replay stopped at ${unit} ${run.progress.units} of ${last}.`;
    case "left":
      return "";
    case "refused":
      return `The replay stopped at ${unit} ${run.progress.units}: ${sentenceEnd(end.message)}`;
    case "different":
      return `Different result at ${unit} ${last}: ${reason(end, bits)}`;
  }
}

/** What a story has to say of the replay before it, in a sentence; empty if that came to the run of the link. */
export function storyRemark(end: ReplayEnd, bits: BundleChoice["bits"]): string {
  if (end.kind !== "different") return "";
  const how = roundsOtherwise(end, bits)
    ? "Replayed with other rounding"
    : "The replay came to another result than the link records";
  return `${how}, so this may be the story of another run.`;
}

/** Whether two results of the same recipe may differ by rounding: by another class of bits, or by a GPU. */
export const roundsOtherwise = (
  { expectedClass }: Extract<ReplayEnd, { kind: "different" }>,
  bits: BundleChoice["bits"],
): boolean => expectedClass === "gpu" || bits === "gpu" || (expectedClass !== null && expectedClass !== bits);

/** Why two runs of the same recipe can differ. */
export function reason(end: Extract<ReplayEnd, { kind: "different" }>, bits: BundleChoice["bits"]): string {
  const { expectedClass } = end;
  if (expectedClass === "gpu" || bits === "gpu")
    return "a GPU computed it, here or there, and every kind of GPU rounds a little differently.";
  if (expectedClass !== null && expectedClass !== bits)
    return (
      `this browser computes “${bits}” arithmetic and the recorded run “${expectedClass}”, ` +
      "which round differently. In a terminal, `train --recipe` with this link computes the recorded kind."
    );
  return (
    `the fingerprint here is ${end.found.slice(0, SHOWN_DIGITS)}, and the recorded one is ${end.expected.slice(0, SHOWN_DIGITS)}. ` +
    "The link may have been edited, or another version of Learnery may have made it."
  );
}
