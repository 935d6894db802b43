// The key numbers of the language lab: training speed, the fraction of the machine's peak speed that it reaches, the
// loss on held-out text, and the sizes of the network and its vocabulary.

import { el, write } from "../../core/dom";
import { formatCompact, formatNumber, formatInteger, formatShare } from "../../core/format";
import { unitOfLoss } from "./sources";
import type { Run } from "../../core/run";
import type { LanguageView } from "../../generated/protocol";

/** Label and tooltip of each number. */
const KEY_NUMBERS = {
  speed: ["tokens/s", "Measured training speed, averaged over the last few seconds"],
  share: [
    "of this device's peak",
    "Arithmetic of training as a fraction of the peak speed of this tab, or of the GPU, measured when a run is opened",
  ],
  // Its label follows the source of the text, see `draw`.
  bits: [
    "bits per byte",
    "What unseen text would take if it were compressed with the network's predictions (the held-out loss). A plain file takes 8",
  ],
  size: ["parameters", "Size of the network: how many numbers (weights) training adjusts"],
  tokens: ["vocabulary", "How many different tokens there are"],
} as const;

type Name = keyof typeof KEY_NUMBERS;

export class KeyNumbers {
  readonly element = el("dl", { class: "language-facts" });
  /**
   * The highest measured speed of what trains (the GPU, or the CPU's cores that the tab uses), in floating-point
   * operations per second; 0 before it was measured.
   */
  peakOperations = 0;
  #values = {} as Record<Name, HTMLElement>;
  #labels = {} as Record<Name, HTMLElement>;

  constructor() {
    for (const [name, [text, title]] of Object.entries(KEY_NUMBERS) as [Name, readonly [string, string]][]) {
      const value = (this.#values[name] = el("dd", { class: "num", text: "–" }));
      const label = (this.#labels[name] = el("dt", { text }));
      this.element.append(el("div", { class: `fact fact-${name}`, title }, value, label));
    }
  }

  draw(view: LanguageView, { progress }: Run): void {
    // The lab's work is counted in tokens, and `operations` are the floating-point operations per token.
    const { running, workPerSecond } = progress;
    const isMeasured = running && workPerSecond > 0;
    // A paused run has no speed.
    for (const value of [this.#values.speed, this.#values.share])
      (value.parentElement as HTMLElement).hidden = !running;
    write(this.#values.speed, isMeasured ? formatCompact(workPerSecond) : "–");
    const share = this.peakOperations > 0 && isMeasured ? (workPerSecond * view.operations) / this.peakOperations : NaN;
    write(this.#values.share, formatShare(share));
    // Tasks such as addition have no held-out text but a grid of held-out problems.
    const hasBits = view.grid === null;
    (this.#values.bits.parentElement as HTMLElement).hidden = !hasBits;
    this.element.classList.toggle("without-bits", !hasBits);
    write(this.#labels.bits, unitOfLoss(view.source));
    write(this.#values.bits, view.bits === null ? "–" : formatNumber(view.bits, 3));
    write(this.#values.size, formatCompact(view.parameters));
    write(this.#values.tokens, formatInteger(view.vocabulary));
  }
}
