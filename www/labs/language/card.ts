// The language lab in the gallery: a line that becomes a sentence; where the run goes on, what it writes.

import { el, write } from "../../core/dom";
import type { CardPicture } from "../card-pictures";
import type { LanguageView } from "../../generated/protocol";
import "./card.css";

/** The same beginning, ever better understood. */
const LINES = ["the old xq vnn e  tto", "the old wan wert to the", "the old woman went to the sea"];
/** As much of a text as there is room for. */
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
