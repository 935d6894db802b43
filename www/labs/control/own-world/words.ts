// The list of the words of the language, below the editor.

import { el } from "../../../core/dom";
import { COLOURS, CONSTANTS, FUNCTIONS, PROPERTIES, SHAPES, STATEMENTS, WORDS } from "./vocabulary";

/** The words of the language with their sentences, folded away. */
export function words(): HTMLElement {
  const list = (title: string, entries: Record<string, string>) => [
    el("h3", { text: title }),
    el(
      "dl",
      {},
      ...Object.entries(entries).map(([word, help]) =>
        el("div", {}, el("dt", { class: "mono", text: word }), el("dd", { text: help })),
      ),
    ),
  ];
  return el(
    "details",
    { class: "own-world-words" },
    el("summary", { text: "The words of the language" }),
    el("p", {
      text: "Each line is one statement; # begins a comment. x is the value before a step, x' the value after it. Rules and rewards may use both. Ends, observations and pictures use the state after the step, and write it x.",
    }),
    ...list("Statements", STATEMENTS),
    ...list("Shapes", SHAPES),
    ...list("Of shapes", PROPERTIES),
    ...list("Colours", COLOURS),
    ...list("Functions", FUNCTIONS),
    ...list("Constants", CONSTANTS),
    ...list("Other words", WORDS),
  );
}
