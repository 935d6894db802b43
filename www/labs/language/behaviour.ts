// The behaviour that the page looks for in pictures of the language lab: an addition with a carry, answered rightly.

import type { Behaviour } from "../../core/story/behaviour";
import type { LanguageView } from "../../generated/protocol";

/**
 * Whether an addition such as `47+85=` carries from one column to the next. It does if the digits of any column add up
 * to ten or more: the first carry can come only from such a column.
 */
export function carries(question: string): boolean {
  const [, a, b] = /^(\d+)\+(\d+)=$/.exec(question) ?? [];
  if (a === undefined || b === undefined) return false;
  const digit = (number: string, place: number) => Number(number.at(-1 - place) ?? 0);
  const places = Array.from({ length: Math.max(a.length, b.length) }, (_, place) => place);
  return places.some((place) => digit(a, place) + digit(b, place) >= 10);
}

export const behaviour: Behaviour<LanguageView> = {
  shownTitle: "An addition with a carry is right",
  shown({ source, grid }, { backwards }) {
    if (source !== "addition") return null;
    const solved = grid?.problems.find(({ question, answer, given }) => given === answer && carries(question));
    if (!solved) return null;
    const order = backwards === true ? ", written from its last digit on" : "";
    return `an addition with a carry is right: ${solved.question}${solved.given}${order}`;
  },
};
