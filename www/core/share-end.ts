// How far a share that was measured as 100% or 0% can be from it. There the usual margin of error is zero, because no
// trial differed; the interval of Wilson is not, and all of it lies on one side.

import { formatNumber } from "./format";

/** Half the width of a 95% interval, in standard deviations, as the labs' margins of error have it. */
const STANDARD_DEVIATIONS = 2;

/**
 * The end of the 95% interval of a share, in percent, that was all or nothing in so many independent trials, such as
 * “at least 99.22”; empty for any other share, and without trials.
 */
export function endWords(percent: number, trials: number | null): string {
  if (trials === null || !(trials > 0) || (percent !== 100 && percent !== 0)) return "";
  const away = (100 * STANDARD_DEVIATIONS ** 2) / (trials + STANDARD_DEVIATIONS ** 2);
  // Percentages are rounded down, and the interval must not become narrower by that.
  return percent === 100
    ? `at least ${formatNumber(100 - away, 3, "%")}`
    : `at most ${formatNumber(Math.ceil(100 * away) / 100, 3, "%")}`;
}
