// The headline of a run: the one number that says how well its agent does, with its name, its unit and the goal. It is
// the goal's metric, or without a goal the first of the lab's charts, unless the lab has a plainer one
// (`LabView.headline`).

import { formatMeasured, minus } from "../core/format";
import type { Run } from "../core/run";
import { marginName, type Series } from "../core/series";

export interface Headline {
  /** The metric whose value it is. */
  metric: string;
  /** What it measures, in words that can stand before the value. */
  name: string;
  unit: string;
  /** The value that is the goal; null if there is none, or if it is not known yet. */
  target: number | null;
  /** What the value can be compared with, in a sentence; empty for nothing. */
  comparison: string;
  /** A second metric for the chart of this one, and the names of both curves. */
  beside: { metric: string; names: [headline: string, beside: string] } | null;
}

/** The latest value of a metric, or that at the moment that is shown; NaN if it has not been measured. */
export type LastValue = (metric: string) => number;

/** A lab's view, which may say the headline in other words. */
export interface HeadlineView {
  headline?(last: LastValue): Partial<Headline>;
}

/** The headline of a run. */
export function headlineOf(
  { goal, lab, series }: Pick<Run, "goal" | "lab" | "series">,
  view: HeadlineView | null,
  last: LastValue,
): Headline {
  const own = view?.headline?.(last) ?? {};
  const metric = own.metric ?? goal?.metric ?? lab?.about.charts[0] ?? "";
  const spec = series.spec(metric);
  const target = goal?.metric === metric ? goal.target : null;
  return { metric, name: spec?.label ?? metric, unit: spec?.unit ?? "", target, comparison: "", beside: null, ...own };
}

/** The value of a headline, with as many decimals as its margin of error has. */
export function headlineValue({ metric }: Headline, series: Series, last: LastValue): string {
  const margin = last(marginName(series.specs, metric) ?? "");
  return formatMeasured(last(metric), margin, 3, series.spec(metric)?.unit);
}

/** The goal in words; empty without one. */
export function goalText(target: number | null): string {
  return target === null ? "" : `goal ${targetWords(target)}`;
}

/** The target of a goal, without trailing zeros: goals are round numbers. */
export function targetWords(target: number, unit = ""): string {
  return `${minus(String(target))}${unit === "%" ? "%" : ""}`;
}
