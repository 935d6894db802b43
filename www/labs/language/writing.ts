// The stage (interactive picture) of the language lab: the text that the network writes now, with a box for its prompt
// (the beginning that it continues), and below it the texts that it wrote after 1, 2, 4, 8 … units (training
// iterations). Texts consist of pieces (tokens).

import { el, listen, write } from "../../core/dom";
import { formatCount, formatInteger } from "../../core/format";
import { formatProbability } from "./predictions";
import { visibleName, TokenText } from "./token-text";
import { Prompt } from "./prompt";
import type { LanguageCommand, LanguageEarlier, LanguageSample, LanguageView } from "../../generated/protocol";

/** The largest number of earlier texts shown. If there are more, only every second, fourth … one is shown. */
const MAX_ROWS = 10;

export class Writing {
  readonly element: HTMLElement;
  #pieces: TokenText;
  #prompt: Prompt;
  #hint = el("span", { class: "language-hint" });
  /** How far training was when the text was written. */
  #progressText = el("span", { class: "num quiet" });
  #rows = el("ol", { class: "language-earlier" });
  /** The earlier texts that are shown, to be compared with new ones. */
  #shownRows = "";
  /** The rows that are shown, by their iterations and texts. */
  #rowsByKey = new Map<string, HTMLElement>();
  /** The text that is shown: the prompt and what the network has written so far. */
  #sample: LanguageSample | null = null;
  /** The index of the piece (token) that was chosen for the inspector (a look inside the network), or -1. */
  #inspected = -1;

  constructor(
    send: (command: LanguageCommand) => void,
    /** Shows a piece of a text in the inspector; `scroll` brings the inspector into sight. */
    inspect: (pieces: string[], index: number, scroll: boolean) => void,
    /** The noun for a training iteration. */
    readonly unit: string,
  ) {
    this.#pieces = new TokenText(
      "Generated text. Arrow keys choose a token to inspect",
      (index, byKey) => {
        this.#inspected = index;
        if (!this.#sample) return;
        const pieces = this.#sample.pieces.map(({ text }) => text);
        // A visitor who uses keys goes on choosing pieces here, so the page must not scroll away.
        const scroll = !byKey;
        inspect(pieces, index, scroll);
      },
      (index) => this.#describe(index),
    );
    this.#pieces.element.classList.add("large");
    this.#prompt = new Prompt(send);
    this.element = el(
      "div",
      { class: "stage language-stage", role: "group", "aria-label": "Generated text" },
      el("p", { class: "language-line" }, this.#hint, this.#progressText),
      this.#pieces.element,
      this.#prompt.element,
      el("p", { class: "language-before", text: `One prompt, continued after 1, 2, 4, 8 … ${unit}s` }),
      this.#rows,
    );
  }

  /** Starts anew after a run was opened: the earlier texts belong to another run. */
  reset(): void {
    this.#shownRows = "";
    this.#rowsByKey.clear(); // the same text of another run may be after other tokens
    this.#rows.replaceChildren();
    this.#prompt.reset();
  }

  destroy(): void {
    this.#prompt.reset();
  }

  /** The tooltip of a piece. */
  #describe(index: number): string {
    const piece = this.#sample?.pieces[index];
    if (!piece) return "";
    const given = index < (this.#sample?.promptPieces ?? 0);
    const probability = given ? "" : `, probability ${formatProbability(piece.probability)}`;
    return `“${visibleName(piece.text)}”${probability}. Click to inspect`;
  }

  draw(view: LanguageView): void {
    const { sample } = view;
    this.#sample = sample;
    const { pieces, promptPieces } = sample;
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
      view.source === "text" && view.textName ? `Generated text, trained on ${view.textName}` : "Generated text",
    );
    // The text may have been begun in the middle of the next iteration.
    write(this.#progressText, `begun with ${formatCount(sample.unit, this.unit)} done`);
    this.#prompt.draw(view);
    this.#drawEarlier(view.earlier);
  }

  #drawEarlier(earlier: LanguageEarlier[]): void {
    // The smallest power of two with which at most MAX_ROWS texts remain.
    const stride = 2 ** Math.ceil(Math.log2(Math.max(1, earlier.length / MAX_ROWS)));
    const rows = earlier.filter((_, i) => i % stride === 0);
    const keyOf = ({ unit, text }: LanguageEarlier) => `${unit} ${text}`;
    const rendered = rows.map(keyOf).join("\n\n");
    if (rendered === this.#shownRows) return;
    this.#shownRows = rendered;
    // A row that the visitor has unfolded stays as it is when another one comes.
    const before = this.#rowsByKey;
    this.#rowsByKey = new Map(
      rows.map((sample) => [keyOf(sample), before.get(keyOf(sample)) ?? row(sample, this.unit)]),
    );
    this.#rows.replaceChildren(...this.#rowsByKey.values());
  }
}

/** An earlier text as one line, which unfolds when pressed. `unitName` is the noun for a training iteration. */
function row({ unit, text, tokensSeen, promptLength }: LanguageEarlier, unitName: string): HTMLElement {
  const button = el(
    "button",
    {
      type: "button",
      "aria-expanded": "false",
      title: `After ${formatCount(unit, unitName)}, ${formatInteger(tokensSeen)} tokens`,
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
