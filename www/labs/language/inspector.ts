// The inspector: how well the network predicted each piece of a text, what it predicts after a chosen piece, and where
// its heads look.

import { el, listen, write } from "../../core/dom";
import { formatNumber } from "../../core/format";
import { reducedMotion } from "../../core/theme";
import { Predictions, formatPercent } from "./predictions";
import { AttentionHeads } from "./attention-heads";
import { visibleInText, visibleName, TokenText } from "./token-text";
import type { LanguageCommand, LanguageView } from "../../generated/protocol";

/** The text is read when no key has been pressed for so long. */
const SETTLED_MS = 350;

export class Inspector {
  readonly element: HTMLElement;
  #pieces: TokenText;
  #predictions: Predictions;
  #heads = new AttentionHeads();
  #predictionTitle = el("p", { class: "remark" });
  #tint = el("span", { class: "quiet" });
  #box = el("input", {
    type: "text",
    id: "language-read",
    class: "language-prompt",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "a text of your own",
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #text = "";
  #context = 1;
  #surprise: number[] = [];

  constructor(readonly send: (command: LanguageCommand) => void) {
    this.#pieces = new TokenText(
      "The text it reads. Arrow keys choose a piece",
      (index) => send({ type: "token", index }),
      (index) => this.#describe(index),
    );
    this.#predictions = new Predictions((piece) => this.#append(piece));
    listen(this.#box, {
      input: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#read(this.#box.value), SETTLED_MS);
      },
    });
    const label = el("label", { for: "language-read", text: "Let it read" });
    const form = el("form", { class: "language-ask" }, label, this.#box);
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        this.#read(this.#box.value);
      },
    });
    this.element = el(
      "figure",
      { class: "language-reading" },
      el("figcaption", {}, "Look inside", this.#tint),
      form,
      this.#pieces.element,
      el(
        "div",
        { class: "language-inside" },
        el("div", {}, this.#predictionTitle, this.#predictions.element),
        el(
          "div",
          {},
          el("p", { class: "remark", text: "Attention of each head, layer by layer" }),
          this.#heads.element,
        ),
      ),
    );
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#heads.destroy();
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#box.value = "";
  }

  /** Reads a text and chooses one of its pieces. */
  inspect(pieces: string[], index: number, goThere: boolean): void {
    this.#box.value = "";
    // If the text is longer than the context, only the part that ends with the chosen piece.
    const from = Math.max(0, index + 1 - this.#context);
    this.send({ type: "read", text: pieces.slice(from).join("") });
    this.send({ type: "token", index: index - from });
    if (goThere) this.element.scrollIntoView({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" });
  }

  #describe(index: number): string {
    const bits = this.#surprise[index] ?? 0;
    return index === 0
      ? "The first piece is not predicted"
      : `It was ${formatPercent(2 ** -bits)} sure of this: ${formatNumber(bits, 2)} bits`;
  }

  #read(text: string): void {
    clearTimeout(this.#timer);
    if (text !== "") this.send({ type: "read", text });
  }

  /** Appends a predicted piece and reads the text again. */
  #append(piece: string): void {
    this.#box.value = this.#text + piece;
    this.#read(this.#box.value);
  }

  draw(view: LanguageView, seconds: number): void {
    const { reading, layers, heads } = view;
    this.#context = view.context;
    this.#surprise = reading.surprise;
    const { pieces, surprise, chosen, next, attention } = reading;
    this.#text = pieces.slice(0, chosen + 1).join("");
    this.#heads.draw({ layers, heads, pieces, chosen, attention });
    const weights = this.#heads.weights();
    const most = weights ? Math.max(...weights) : 1;
    const tints = weights ? pieces.map((_, i) => (weights[i] ?? 0) / most) : surprise.map((bits) => 2 ** -bits);
    this.#pieces.draw(
      pieces.map((text, i) => ({ text: visibleInText(text), tint: i === 0 && !weights ? 0 : (tints[i] ?? 0) })),
      chosen,
    );
    write(this.#tint, weights ? "green: where this head looks" : "the greener, the surer it was of this piece");
    write(this.#predictionTitle, pieces.length > 0 ? `After “${visibleName(pieces[chosen] ?? "")}” it predicts` : "");
    this.#predictions.draw(next, seconds);
  }
}
