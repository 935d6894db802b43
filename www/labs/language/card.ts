// The language lab in the gallery: a line that turns into a sentence, or what the running run writes.

import { el, write } from "../../core/dom";
import type { CardPicture } from "../lab-view";
import type { LanguageView } from "../../generated/protocol";
import "./card.css";

/** The same sentence at three stages of training. */
const LINES = ["the old xq vnn e  tto", "the old wan wert to the", "the old woman went to the sea"];
/** The number of characters there is room for. */
const LETTERS = 160;

export function languageCard(): CardPicture<LanguageView> {
  const lines = LINES.map((text) => el("span", { text }));
  const element = el("span", { class: "language-card" }, ...lines);
  return {
    element,
    draw(view) {
      const { sample, earlier } = view;
      const first = earlier[0]?.text ?? "";
      const middle = earlier[earlier.length >> 1]?.text ?? "";
      element.classList.add("live");
      for (const [i, text] of [first, middle, sample.text].entries()) {
        write(lines[i] as HTMLElement, text.replaceAll("\n", " ").slice(0, LETTERS));
      }
    },
  };
}
