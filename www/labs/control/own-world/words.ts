// The list of the words of the language of worlds (docs/worlds.md), below the editor.

import { el } from "../../../core/dom";
import { COLOURS, CONSTANTS, FUNCTIONS, PROPERTIES, SHAPES, STATEMENTS, WORDS } from "./vocabulary";

/** Every word with its explanation, in a section that is closed at first. */
export function wordList(): HTMLElement {
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
      text: "Each line is one statement; # begins a comment. If x is a state variable, rules and rewards may use x, its value before the step, and x', its value after the step. Ends, observations and pictures know only the state after the step; there it is written x.",
    }),
    ...list("Statements", STATEMENTS),
    ...list("Shapes", SHAPES),
    ...list("Properties of shapes and of the camera", PROPERTIES),
    ...list("Colours", COLOURS),
    ...list("Functions", FUNCTIONS),
    ...list("Constants", CONSTANTS),
    ...list("Other words", WORDS),
  );
}
