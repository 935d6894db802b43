// What is said of the problems of the grid as a whole.

import { formatInteger, formatShare } from "../../core/format";
import type { LanguageGrid } from "../../generated/protocol";

/** The state of a problem without an answer, as numbered in the lab's data (`LanguageGrid.right`). */
const UNANSWERED = 2;

/**
 * How many problems are answered right: a number and the words after it. They are fewer than a test has and are
 * answered at another moment, so their share is another one than the score.
 */
export function solvedWords({ share, right, problems }: LanguageGrid): [solved: string, of: string] {
  const all = problems.length;
  const tried = all - right.filter((state) => state === UNANSWERED).length;
  // A run that was opened again has a score and begins anew with these.
  if (tried === 0) return ["", "none of these tried yet"];
  if (tried < all)
    return [formatInteger(Math.round(share * tried)), ` correct of these ${formatInteger(tried)} tried so far`];
  return [
    formatShare(share),
    ` of these ${formatInteger(all)} correct now; the score is that of the last test, with other problems`,
  ];
}
