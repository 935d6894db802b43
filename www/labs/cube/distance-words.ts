// What is said below the chart of solved states by distance while it is empty.

import { formatNumber } from "../../core/format";

/**
 * Why the columns are empty. A run that was opened again keeps the result of its last test, but not that by distance.
 */
export function emptyWords(percentSolved: number): string {
  if (!Number.isFinite(percentSolved)) return "Not tested yet";
  return `The last test solved ${formatNumber(percentSolved, 4, "%")}%. A saved run keeps only this number: the next test fills the columns.`;
}
