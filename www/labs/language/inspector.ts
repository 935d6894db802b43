// The inspector, the figure "Predictions and attention" of the language lab. It shows a text in the tokens that the
// network reads: how well each was predicted, the predictions after a chosen token, and the attention of each head at
// that token.

import { el, listen, write } from "../../core/dom";
import { formatNumber } from "../../core/format";
import { bringIntoSight } from "../../core/into-sight";
import { withTerms } from "../../ui/term";
import { Predictions, formatProbability } from "./predictions";
import { AttentionHeads } from "./attention-heads";
import { visibleInText, visibleName, TokenText } from "./token-text";
import type { LanguageCommand, LanguageView } from "../../generated/protocol";

/** A typed text is sent once no key has been pressed for this long. */
const TYPING_PAUSE_MS = 350;

export class Inspector {
  readonly element: HTMLElement;
  #tokens: TokenText;
  #predictions: Predictions;
  #heads = new AttentionHeads();
  #predictionTitle = el("p", { class: "remark" });
  /** Says what the tint of the tokens means. */
  #tintHint = el("span", { class: "quiet" });
  #input = el("input", {
    type: "text",
    id: "language-read",
    class: "language-prompt",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "type a text to inspect",
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The text up to the chosen token. */
  #textToChosen = "";
  /** The network's context length, in tokens. */
  #contextLength = 1;
  /** The surprisal of each token: minus the base-2 logarithm of the probability that the network gave it. */
  #surprisal: number[] = [];

  constructor(readonly send: (command: LanguageCommand) => void) {
    this.#tokens = new TokenText(
      "The inspected text. Arrow keys choose a token",
      (index) => send({ type: "token", index }),
      (index) => this.#describe(index),
    );
    this.#predictions = new Predictions((token) => this.#append(token));
    listen(this.#input, {
      input: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#read(this.#input.value), TYPING_PAUSE_MS);
      },
    });
    const label = el("label", { for: "language-read", text: "Text to inspect" });
    const form = el("form", { class: "language-ask" }, label, this.#input);
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        this.#read(this.#input.value);
      },
    });
    this.element = el(
      "figure",
      { class: "language-reading" },
      el("figcaption", {}, "Predictions and attention", this.#tintHint),
      form,
      this.#tokens.element,
      el(
        "div",
        { class: "language-inside" },
        el("div", {}, this.#predictionTitle, this.#predictions.element),
        el(
          "div",
          {},
          el(
            "p",
            { class: "remark" },
            ...withTerms("Attention, layer by layer: each row is a head, each column a token of the text", "language"),
          ),
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
    this.#input.value = "";
  }

  /**
   * Makes the network read a text, given in tokens, and chooses one of them. `scroll` brings the inspector into sight.
   */
  inspect(tokens: string[], index: number, scroll: boolean): void {
    this.#input.value = "";
    // Where the chosen token lies beyond the context length, earlier tokens are left out so that it comes last.
    const from = Math.max(0, index + 1 - this.#contextLength);
    this.send({ type: "read", text: tokens.slice(from).join("") });
    this.send({ type: "token", index: index - from });
    if (scroll) bringIntoSight(this.element);
  }

  /** The tooltip of a token. */
  #describe(index: number): string {
    const bits = this.#surprisal[index] ?? 0;
    return index === 0
      ? "The first token is not predicted"
      : `Predicted probability of this token: ${formatProbability(probability(bits))}, a loss of ${formatNumber(bits, 2)} bits`;
  }

  /** Makes the network read a text. */
  #read(text: string): void {
    clearTimeout(this.#timer);
    if (text !== "") this.send({ type: "read", text });
  }

  /** Appends a predicted token to the text up to the chosen one, which the network then reads. */
  #append(token: string): void {
    this.#input.value = this.#textToChosen + token;
    this.#read(this.#input.value);
  }

  draw(view: LanguageView, seconds: number): void {
    const { reading, layers, heads } = view;
    const { pieces, surprise, chosen, next, attention } = reading;
    this.#contextLength = view.context;
    this.#surprisal = surprise;
    this.#textToChosen = pieces.slice(0, chosen + 1).join("");
    this.#heads.draw({ layers, heads, pieces, chosen, attention });
    const weights = this.#heads.weights();
    // While a head is selected, tokens are tinted by its attention, relative to its largest weight. Otherwise they are
    // tinted by their probability; the first token is not predicted and has no tint.
    const maxWeight = weights ? Math.max(...weights) : 1;
    const tintOf = (i: number) =>
      weights ? (weights[i] ?? 0) / maxWeight : i === 0 ? 0 : probability(surprise[i] ?? Infinity);
    this.#tokens.draw(
      pieces.map((text, i) => ({ text: visibleInText(text), tint: tintOf(i) })),
      chosen,
    );
    write(this.#tintHint, weights ? "green: attention of this head" : "greener: predicted with higher probability");
    write(
      this.#predictionTitle,
      pieces.length > 0 ? `After “${visibleName(pieces[chosen] ?? "")}” the network predicts` : "",
    );
    this.#predictions.draw(next, seconds);
  }
}

/** The probability of a token with this surprisal in bits. */
function probability(bits: number): number {
  return 2 ** -bits;
}
