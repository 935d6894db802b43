// The texts of a lesson on the page. They are shown as text, never as HTML; words of the glossary explain themselves.

import { el } from "../core/dom";
import { withTerms, type IsBrief } from "../ui/term";
import type { ListPart, TextPart } from "./format";

/** A paragraph or a list. Words in `known` are not explained again. */
export function textElement(part: TextPart | ListPart, lab: string, known: Set<string>, isBrief: IsBrief): HTMLElement {
  const words = (text: string) => withTerms(text, lab, known, isBrief);
  if (part.kind === "text") return el("p", {}, ...words(part.text));
  return el("ul", { class: "lesson-items" }, ...part.items.map((item) => el("li", {}, ...words(item))));
}
