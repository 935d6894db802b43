// A short description of the format, beside the editor. docs/lessons.md has the whole of it.

import { el } from "../core/dom";

const LINES: [line: string, meaning: string][] = [
  [
    "lesson: … lab: … about: … level: … terms: …",
    "before the first step, a line each: title, lab, one sentence, for whom, terms",
  ],
  ["# Predict", "begins a step; below it, minutes: 5"],
  ["text", "a paragraph; an empty line ends it"],
  ["- text", "an item of a list"],
  ["> text", "a note for the teacher"],
  ["// text", "a remark that nobody sees"],
  ["@seeds slow", "begins a block with a name; its lines follow, each with two spaces before it"],
];

const BLOCKS: [block: string, lines: string][] = [
  [
    "@run",
    "one run with its picture. title, preset, settings: a=1, b=2, units (needed), seed, goal: no, metric, beside, dials: a, b, speed: slow, normal or max, controls: yes, learns",
  ],
  [
    "@seeds",
    "several runs. title, preset, settings, units (needed), seeds, from, goal: no, metric, dials: a, b, learns",
  ],
  ["@choice", "a question. ask, option (two or more), below an option: when: slow.reached >= 8"],
  ["@number", "a question. ask, from, to, is: slow.reached"],
  ["@sentence", "a question. ask, lines"],
  ["@compare", "has the name of its question. runs: slow, fast, by: units or last"],
  ["@check", "is ticked by what was measured. text, when: slow.reached >= 8"],
  ["@text", "a text that runs learn; its lines follow"],
];

const MEASURES =
  "“when” and “is” name a block and what it measures. @seeds: reached, units, median, least, most, range, rose, metrics and settings. @run: units, reached, goal, first, last, least, most, metrics and settings. A block waits for the predictions about it in its own step and in those before.";

export function formatHelp(): HTMLElement {
  const table = (caption: string, rows: readonly [string, string][]) =>
    el(
      "table",
      {},
      el("caption", { text: caption }),
      el(
        "tbody",
        {},
        ...rows.map(([name, meaning]) =>
          el("tr", {}, el("th", { scope: "row" }, el("code", { text: name })), el("td", { text: meaning })),
        ),
      ),
    );
  return el(
    "details",
    { class: "lesson-format" },
    el("summary", { text: "How a lesson is written" }),
    table("Lines", LINES),
    table("Blocks and their lines", BLOCKS),
    el("p", { text: MEASURES }),
  );
}
