// Training speed, the fraction of the machine's peak speed that it uses, and the size of the network.

import { el, write } from "../../core/dom";
import { formatCompact, formatNumber, formatInteger } from "../../core/format";
import { formatPercent } from "./predictions";
import type { Run } from "../../core/run";
import type { LanguageView } from "../../generated/protocol";

const SHOWN = {
  speed: ["tokens a second", "Tokens it learns from in a second, recently"],
  share: [
    "of peak speed",
    "Multiplications and additions of training, as a fraction of the most this tab can do, measured when a run is opened",
  ],
  bits: ["bits a byte", "Loss on text it never learned from; an uncompressed file takes eight"],
  size: ["parameters", "Numbers that the network learns"],
  tokens: ["different tokens", "Size of the vocabulary"],
} as const;

type Name = keyof typeof SHOWN;

export class KeyFigures {
  readonly element = el("dl", { class: "language-facts" });
  /** The highest measured speed of the machine, in operations a second. */
  peakOperations = 0;
  #values = {} as Record<Name, HTMLElement>;

  constructor() {
    for (const [name, [text, title]] of Object.entries(SHOWN) as [Name, readonly [string, string]][]) {
      const value = el("dd", { class: "num", text: "–" });
      this.#values[name] = value;
      this.element.append(el("div", { class: `fact fact-${name}`, title }, value, el("dt", { text })));
    }
  }

  draw(view: LanguageView, { progress }: Run): void {
    const { running, workPerSecond } = progress;
    const known = running && workPerSecond > 0;
    write(this.#values.speed, known ? formatCompact(workPerSecond) : running ? "–" : "0");
    const share = this.peakOperations > 0 && known ? (workPerSecond * view.operations) / this.peakOperations : NaN;
    write(this.#values.share, Number.isFinite(share) ? formatPercent(share) : "–");
    (this.#values.bits.parentElement as HTMLElement).hidden = view.grid !== null;
    write(this.#values.bits, view.bits === null ? "–" : formatNumber(view.bits, 3));
    write(this.#values.size, formatCompact(view.parameters));
    write(this.#values.tokens, formatInteger(view.vocabulary));
  }
}
