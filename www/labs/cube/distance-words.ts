// What is said below the chart of solved states by distance while it is empty.

import { formatNumber } from "../../core/format";

/** Why the columns are empty. A run that was opened again keeps the result of its last test, but not that by distance. */
export function emptyWords(tested: number): string {
  if (!Number.isFinite(tested)) return "Not evaluated yet";
  return `The last test solved ${formatNumber(tested, 4, "%")}%. How many at each distance is not stored with a run: the next test fills the columns.`;
}
