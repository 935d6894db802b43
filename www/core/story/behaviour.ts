// What an agent does for the first time in a run, as far as the page's own records bear it out. A lab says so in
// `labs/<lab>/behaviour.ts`; a lab whose records show no behaviour has none.

import type { Change } from "../../generated/protocol";
import type { AnyView } from "../run-events";
import type { Series } from "../series";
import type { Settings } from "../values";

/** What is read of a run's records. */
export interface RunRecord {
  settings: Settings;
  /** What changed during the run. */
  changes: readonly Change[];
  series: Series;
  /** What the lab calls a unit (training iteration). */
  unit: string;
}

/** A behaviour, and the first unit whose test shows it. */
export interface FirstSeen {
  unit: number;
  /** What was seen, as a title. */
  title: string;
  /** What was seen, in one sentence with the measured number. */
  text: string;
}

export interface Behaviour<View = AnyView> {
  /** The behaviour by the tests (evaluations) of a run; null if no test shows it. */
  measured?(record: RunRecord): FirstSeen | null;
  /** What `shown` looks for, as a title. */
  shownTitle?: string;
  /**
   * The behaviour by what a picture of the run shows, in a part of a sentence; null if the picture does not show it.
   */
  shown?(view: View, settings: Settings): string | null;
}

/** The first test of a metric that `counts`; null if there is none. */
export function firstTest(
  { series }: Pick<RunRecord, "series">,
  metric: string,
  counts: (value: number, unit: number) => boolean,
): { unit: number; value: number } | null {
  const { units, values } = series.measured(metric);
  const row = values.findIndex((value, i) => counts(value, units[i] as number));
  return row < 0 ? null : { unit: units[row] as number, value: values[row] as number };
}

/**
 * Whether one of these settings, or data of the visitor's own, was changed during the run: then tests are not alike.
 */
export function wasChanged({ changes }: Pick<RunRecord, "changes">, ...settings: string[]): boolean {
  return changes.some(({ after, data }) => (data ?? null) !== null || settings.some((name) => name in after));
}
