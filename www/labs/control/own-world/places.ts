// Where a problem of a text is, in the units of the editor: the checker counts lines and characters (code points), the
// editor UTF-16 units from the start of the text.

import type { Problem } from "../../../generated/protocol";

/** A part of the text, in UTF-16 units. */
export interface Part {
  from: number;
  to: number;
}

/** The units of the first `count` characters of a text. */
function unitsOf(text: string, count: number): number {
  let units = 0;
  for (let i = 0; i < count && units < text.length; i++) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/**
 * The part of the text that a problem is about. The text may have changed since it was checked, so a place beyond its
 * end is put at its end.
 */
export function partOf(text: string, { line, column, length }: Pick<Problem, "line" | "column" | "length">): Part {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return { from: text.length, to: text.length };
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const rest = text.slice(start, end < 0 ? text.length : end);
  const from = unitsOf(rest, column - 1);
  return { from: start + from, to: start + from + unitsOf(rest.slice(from), length) };
}
