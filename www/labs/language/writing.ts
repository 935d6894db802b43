// The text that the network writes, and below it what it wrote from the same prompt after 1, 2, 4, 8 … units.

import { el, listen, write } from "../../core/dom";
import { formatCompact, formatCount, formatInteger } from "../../core/format";
import { formatPercent } from "./predictions";
import { visibleName, TokenText } from "./token-text";
import { Prompt } from "./prompt";
import type { LanguageCommand, LanguageEarlier, LanguageSample, LanguageView } from "../../generated/protocol";

/** The largest number of earlier texts shown. If there are more, every second one is left out. */
const MOST_ROWS = 10;

export class Writing {
  readonly element: HTMLElement;
  #pieces: TokenText;
  #prompt: Prompt;
  #hint = el("span", { class: "language-hint" });
  #when = el("span", { class: "num quiet" });
  #rows = el("ol", { class: "language-earlier" });
  #shown = "";
  #sample: LanguageSample | null = null;
  /** The piece that is inspected, while its text stays. */
  #inspected = -1;

  constructor(
    send: (command: LanguageCommand) => void,
    /** Inspects a piece of a text; `goThere` scrolls to the inspector. */
    look: (pieces: string[], index: number, goThere: boolean) => void,
    readonly unit: string,
  ) {
    this.#pieces = new TokenText(
      "What it writes. Arrow keys choose a piece to inspect",
      (index, byKey) => {
        this.#inspected = index;
        if (this.#sample)
          look(
            this.#sample.pieces.map(({ text }) => text),
            index,
            !byKey,
          );
      },
      (index) => this.#describe(index),
    );
    this.#pieces.element.classList.add("large");
    this.#prompt = new Prompt(send);
    this.element = el(
      "div",
      { class: "stage language-stage", role: "group", "aria-label": "What it writes" },
      el("p", { class: "language-line" }, this.#hint, this.#when),
      this.#pieces.element,
      this.#prompt.element,
      el("p", { class: "language-before", text: `What it wrote after 1, 2, 4, 8 … ${unit}s` }),
      this.#rows,
    );
  }

  /** A run was opened: earlier texts belong to another run. */
  reset(): void {
    this.#shown = "";
    this.#rows.replaceChildren();
    this.#prompt.reset();
  }

  destroy(): void {
    this.#prompt.reset();
  }

  #describe(index: number): string {
    const piece = this.#sample?.pieces[index];
    if (!piece) return "";
    const given = index < (this.#sample?.promptPieces ?? 0);
    return `“${visibleName(piece.text)}”${given ? "" : `: ${formatPercent(piece.probability)} sure`}. Press to inspect it`;
  }

  draw(view: LanguageView): void {
    const { sample } = view;
    this.#sample = sample;
    const { pieces, promptPieces, tokensSeen } = sample;
    if (this.#inspected >= pieces.length) this.#inspected = -1;
    this.#pieces.draw(
      pieces.map(({ text, probability }, i) => {
        const given = i < promptPieces;
        // Without a prompt the text starts after a line break, which is not shown.
        return { text: given && i === 0 && text === "\n" ? "" : text, tint: given ? 0 : probability, given };
      }),
      this.#inspected,
    );
    this.#pieces.element.classList.toggle("growing", !sample.done);
    write(
      this.#hint,
      view.source === "text" && view.textName ? `What it writes, from ${view.textName}` : "What it writes",
    );
    write(this.#when, `after ${formatCount(sample.unit, this.unit)}, ${formatCompact(tokensSeen)} tokens`);
    this.#prompt.draw(view);
    this.#drawEarlier(view.earlier);
  }

  #drawEarlier(earlier: LanguageEarlier[]): void {
    const apart = 2 ** Math.ceil(Math.log2(Math.max(1, earlier.length / MOST_ROWS)));
    const rows = earlier.filter((_, i) => i % apart === 0);
    const shown = rows.map(({ unit, text }) => `${unit} ${text}`).join("\n\n");
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#rows.replaceChildren(...rows.map((sample) => row(sample, this.unit)));
  }
}

/** One line, which unfolds when pressed. */
function row({ unit, text, tokensSeen, promptLength }: LanguageEarlier, noun: string): HTMLElement {
  const button = el(
    "button",
    {
      type: "button",
      "aria-expanded": "false",
      title: `After ${formatCount(unit, noun)}, ${formatInteger(tokensSeen)} tokens`,
    },
    el("span", { class: "num quiet", text: formatInteger(unit) }),
    el(
      "span",
      { class: "language-past" },
      el("span", { class: "given", text: text.slice(0, promptLength) }),
      text.slice(promptLength),
    ),
  );
  listen(button, {
    click: () => button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true")),
  });
  return el("li", {}, button);
}
