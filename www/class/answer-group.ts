// A question with the answers of a class, or something that a lesson has measured with its results: bars with the names
// beside them, or a list.

import { el } from "../core/dom";
import { formatCount } from "../core/format";
import type { AnswersToOne } from "./answers";

/** `noun` is what is counted, such as “answer”. */
export function groupElement(
  { question, count, isCounted, answers }: AnswersToOne,
  hidesNames: boolean,
  noun = "answer",
): HTMLElement {
  const most = Math.max(1, ...answers.map(({ names }) => names.length));
  const items = answers.map(({ text, names }) => {
    const who = hidesNames ? "" : names.join(", ");
    if (!isCounted) return el("li", {}, who !== "" && el("strong", { text: `${who}: ` }), text);
    const bar = el("span", { class: "class-bar-fill", "aria-hidden": "true" });
    bar.style.width = `${(100 * names.length) / most}%`;
    return el(
      "li",
      { class: "class-count" },
      el("span", { text }),
      el("span", { class: "class-bar-track" }, bar),
      el("strong", { class: "num", text: String(names.length) }),
      who !== "" && el("span", { class: "quiet small class-who", text: who }),
    );
  });
  return el(
    "section",
    {},
    el("h3", { text: question }),
    el("p", { class: "quiet small", text: formatCount(count, noun) }),
    el("ul", { class: isCounted ? "class-counts" : undefined }, ...items),
  );
}
