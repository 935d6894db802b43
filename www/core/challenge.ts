// Challenges: tasks that are checked by what happens in a run. A challenge fixes some settings, leaves the others free,
// and has stages that must be reached one after the other. A stage is a list of conditions on the metrics of one unit
// (training iteration).
//
// In a link a challenge is written as `TITLE~STAGE~STAGE`, a stage as `examReturn>=475&units<=100`; `units` counts
// training iterations. The settings that it fixes are those of the link.

import type { Change, LabInfo } from "../generated/protocol";
import { formatCount, minus, withUnit } from "./format";
import { settingTitle, valueLabel } from "./labels";
import type { Settings } from "./link";
import { isPerfect } from "./goal";
import { cleanName } from "./run-metadata";
import { marginName, type Series } from "./series";

/** A condition on a metric, or on the number of units. */
export interface Condition {
  metric: string;
  is: ">=" | "<=";
  value: number;
}

export interface Challenge {
  title: string;
  /** What to try; empty in challenges from links. */
  hint: string;
  /** The settings that a run must have. */
  settings: Settings;
  /** The preset that its other settings start from; the defaults without one. */
  preset?: string;
  stages: Condition[][];
  /** What it begins with in place of a run, as a part `show=` of a link; it is loaded with the lab's view. */
  show?: string;
  /** Why a run with these changes cannot do it whatever it measures, as a sentence; null if it can. */
  mismatch?: (changes: readonly Change[]) => string | null;
}

/** How far a run is in a challenge. */
export type Verdict =
  | { state: "done"; unit: number }
  /** `stage` counts the stages that have been reached. */
  | { state: "open"; stage: number }
  /** This run cannot do it any more, for this reason. */
  | { state: "missed"; reason: string };

/** The name that stands for the number of units in a condition. */
export const UNITS_METRIC = "units";
/** The most stages of a challenge in a link. */
export const MAX_STAGES = 5;

/** Judges a run by its settings, its recorded changes, and the whole history of its metrics. */
export function judge(
  challenge: Challenge,
  settings: Settings,
  series: Series,
  lab: LabInfo,
  changes: readonly Change[] = [],
): Verdict {
  for (const [name, value] of Object.entries(challenge.settings)) {
    if (settings[name] === value) continue;
    const [asked, has] = [valueLabel(value), valueLabel(settings[name] ?? null)];
    return { state: "missed", reason: `It needs ${settingTitle(lab, name)} ${asked}; this run has ${has}.` };
  }
  const mismatch = challenge.mismatch?.(changes) ?? null;
  if (mismatch !== null) return { state: "missed", reason: mismatch };
  let stage = 0;
  const measured = new Map(
    challenge.stages.flat().map(({ metric }) => {
      const margins = marginName(series.specs, metric);
      const margin = margins === undefined ? [] : series.column(margins);
      return [metric, { values: series.column(metric), margin, spec: series.spec(metric) }];
    }),
  );
  measured.set(UNITS_METRIC, { values: series.units, margin: [], spec: undefined });
  for (let row = 0; row < series.units.length; row++) {
    const conditions = challenge.stages[stage] ?? [];
    const isMet = (condition: Condition) => {
      const { values = [], margin = [], spec } = measured.get(condition.metric) ?? {};
      const value = values[row] ?? NaN;
      return holds(condition, value, isPerfect(value, spec) ? 0 : (margin[row] ?? 0));
    };
    if (!conditions.every(isMet)) continue;
    stage++;
    if (stage === challenge.stages.length) return { state: "done", unit: series.units[row] as number };
  }
  const latest = series.units.at(-1) ?? 0;
  const limit = challenge.stages[stage]?.find(
    ({ metric, is, value }) => metric === UNITS_METRIC && is === "<=" && latest >= value,
  );
  if (limit) return { state: "missed", reason: `It had to happen within ${formatCount(limit.value, lab.about.unit)}.` };
  return { state: "open", stage };
}

/**
 * Whether a measured value meets a condition. It may have been luck, so it must be beyond the bound by its margin of
 * error. NaN, which stands for "not measured", meets none.
 */
function holds({ is, value }: Condition, measured: number, margin: number): boolean {
  return is === ">=" ? measured - margin >= value : measured + margin <= value;
}

/** A challenge as it stands in a link, without its settings. */
export function writeChallenge({ title, stages }: Challenge): string {
  const texts = stages.map((stage) => stage.map(({ metric, is, value }) => `${metric}${is}${value}`).join("&"));
  return [title.replaceAll("~", "-"), ...texts].join("~");
}

/** Reads a challenge from a link; null if it makes no sense for this lab. */
export function readChallenge(lab: LabInfo, text: string, settings: Settings): Challenge | null {
  const [title = "", ...parts] = text.split("~");
  const stages = parts.map((part) => part.split("&").map((condition) => readCondition(lab, condition)));
  const isReadable = stages.length > 0 && stages.length <= MAX_STAGES && stages.every((stage) => stage.every(Boolean));
  if (!isReadable) return null;
  return { title: cleanName(title) ?? "A challenge", hint: "", settings, stages: stages as Condition[][] };
}

/** A challenge as it stands in a link, with the settings of that link. */
export interface LinkedChallenge {
  text: string;
  settings: Settings;
}

/** The challenge of a link; null if it cannot be read. `listed` are the lab's own ones. */
export function linkedChallenge(
  lab: LabInfo,
  listed: readonly Challenge[],
  { text, settings }: LinkedChallenge,
): Challenge | null {
  // A link to one of the lab's own has the same text, and leaves out settings that it fixes to their defaults.
  return listed.find((each) => writeChallenge(each) === text) ?? readChallenge(lab, text, settings);
}

/** Reads a condition, such as `examReturn>=475`; null if it is none, or if the lab has no such metric. */
function readCondition(lab: LabInfo, text: string): Condition | null {
  const [, metric = "", is, number = ""] = /^(\w+)(>=|<=)(-?[\d.]+(?:e-?\d+)?)$/.exec(text) ?? [];
  const value = Number(number);
  const isKnown = metric === UNITS_METRIC || lab.about.metrics.some(({ name }) => name === metric);
  return isKnown && (is === ">=" || is === "<=") && Number.isFinite(value) ? { metric, is, value } : null;
}

/** A stage in words: `test score (fresh episodes) at least 475, within 100 iterations`. */
export function stageInWords(lab: LabInfo, stage: Condition[]): string {
  const words = stage.map(({ metric, is, value }) => {
    if (metric === UNITS_METRIC)
      return is === "<=" ? `within ${value} ${lab.about.unit}s` : `not before ${lab.about.unit} ${value}`;
    const spec = lab.about.metrics.find(({ name }) => name === metric);
    const bound = withUnit(minus(String(value)), spec?.unit ?? "");
    const beyond = marginName(lab.about.metrics, metric) === undefined ? "" : ", by more than its margin of error";
    return `${spec?.label ?? metric} ${is === ">=" ? "at least" : "at most"} ${bound}${beyond}`;
  });
  return words.join(", ");
}
