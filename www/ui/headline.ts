// The headline of a run: the one metric that says how well the agent does, with its name, unit and target. It is the
// metric of the goal or, without a goal, of the lab's first chart. A lab may put plainer words or another metric in its
// place (`LabView.headline`).

import { formatMeasured, minus } from "../core/format";
import type { Run } from "../core/run";
import { marginName, type Series } from "../core/series";

export interface Headline {
  /** The metric whose value it is. */
  metric: string;
  /** What it measures, in words that can stand before the value. */
  name: string;
  unit: string;
  /** The value to reach; null if there is no goal for this metric, or if it is not known yet. */
  target: number | null;
  /** A sentence with another value to compare it with; empty if there is none. */
  comparison: string;
  /** What chance alone reaches, with a word for it, drawn as a line; null if it says nothing. */
  chance: { value: number; name: string } | null;
  /** The visitor's own best score of the same kind, drawn as a line. */
  yours?: number | undefined;
  /** A second metric that is drawn in the same chart, and the labels of both curves; null for none. */
  beside: { metric: string; names: [headline: string, beside: string] } | null;
  /** Of how many independent trials the value is the share that succeeded, in percent; null if it is something else. */
  trials: number | null;
  /** What has happened in the unit (training iteration) under way, as a sentence; empty for nothing. */
  news: string;
  /** What the run took until its goal beside work and time, such as attempts. */
  took: string[];
}

/** Looks up a metric: its value at the moment that the timeline shows, or the latest; NaN if it was not measured. */
export type LastValue = (metric: string) => number;

/** The part of a lab's view that may replace fields of the headline. */
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
  return {
    metric,
    name: spec?.label ?? metric,
    unit: spec?.unit ?? "",
    target,
    comparison: "",
    chance: null,
    beside: null,
    trials: null,
    news: "",
    took: [],
    ...own,
  };
}

/** The value as text, rounded to the precision of its margin of error. */
export function headlineValue({ metric }: Pick<Headline, "metric">, series: Series, last: LastValue): string {
  const margin = last(marginName(series.specs, metric) ?? "");
  return formatMeasured(last(metric), margin, 3, series.spec(metric)?.unit);
}

/** The goal as text, such as “goal 490”; empty without one. */
export function goalText(target: number | null): string {
  return target === null ? "" : `goal ${targetWords(target)}`;
}

/** The target as text, without trailing zeros; of the units only “%” is added. */
export function targetWords(target: number, unit = ""): string {
  return `${minus(String(target))}${unit === "%" ? "%" : ""}`;
}
