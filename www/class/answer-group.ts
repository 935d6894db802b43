// A question with the answers of a class, or something that a lesson has measured with its results: bars with the names
// beside them, or a list.

import { el } from "../core/dom";
import { formatCount } from "../core/format";
import type { AnswersToOne } from "./answers";

/** `noun` is what is counted, such as “answer”. */
export function groupElement(
  { question, count, isCounted, isWide, answers }: AnswersToOne,
  hidesNames: boolean,
  noun = "answer",
): HTMLElement {
  const items = answers.map(({ text, names }) => {
    const who = hidesNames ? [] : nameElements(names);
    if (!isCounted) return el("li", {}, who.length > 0 && el("strong", {}, ...who, ": "), el("bdi", { text }));
    const bar = el("span", { class: "class-bar-fill", "aria-hidden": "true" });
    bar.style.width = `${(100 * names.length) / count}%`; // of all who have answered
    return el(
      "li",
      { class: isWide ? "class-count wide" : "class-count" },
      el("span", { text }),
      el("span", { class: "class-bar-track" }, bar),
      el("strong", { class: "num", text: String(names.length) }),
      who.length > 0 && el("span", { class: "quiet small class-who" }, ...who),
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

/** Names with commas between them. Each keeps the direction of its own writing. */
const nameElements = (names: readonly string[]): (HTMLElement | string)[] =>
  names.flatMap((name, i) => [...(i > 0 ? [", "] : []), el("bdi", { text: name })]);
