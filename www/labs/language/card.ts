// The language lab's picture in the gallery: samples of the current run from early, midway and now, or three invented
// ones if there is no run.

import { el, write } from "../../core/dom";
import type { CardPicture } from "../lab-view";
import type { LanguageView } from "../../generated/protocol";
import "./card.css";

/** Samples as a network may write them early, midway and late in training. */
const STILL_LINES = ["the old xq vnn e  tto", "the old wan wert to the", "the old woman went to the sea"];
/** The number of characters that fit into a line of the card. */
const MAX_CHARACTERS = 160;

export function languageCard(): CardPicture<LanguageView> {
  const lines = STILL_LINES.map((text) => el("span", { text }));
  const element = el("span", { class: "language-card" }, ...lines);
  return {
    element,
    draw(view) {
      const { sample, earlier } = view;
      const first = earlier[0]?.text ?? "";
      const middle = earlier[Math.floor(earlier.length / 2)]?.text ?? "";
      element.classList.add("live");
      for (const [i, text] of [first, middle, sample.text].entries()) {
        write(lines[i] as HTMLElement, text.replaceAll("\n", " ").slice(0, MAX_CHARACTERS));
      }
    },
  };
}
