// What a picture that leaves the page says about its run: the lab; then how far the run was, its score, its seed, and
// the settings that differ from the defaults.

import { formatMeasured, formatInteger, minus, sentenceStart, withUnit } from "../../core/format";
import { changedSettings, settingText, type Settings } from "../../core/link";
import { marginName, type Series } from "../../core/series";
import type { Goal, LabInfo } from "../../generated/protocol";

export interface Caption {
  title: string;
  /** Parts of a sentence, which may stand on several lines. */
  parts: string[];
}

export interface CaptionedRun {
  lab: LabInfo;
  series: Series;
  goal: Goal | null;
  seed: number;
  settings: Settings;
}

/** The caption of what a run shows at a unit. */
export function captionOf({ lab, series, goal, seed, settings }: CaptionedRun, unit: number): Caption {
  const { about } = lab;
  const changed = Object.entries(changedSettings(lab, settings));
  return {
    title: `Learnery: ${about.title}`,
    parts: [
      `${sentenceStart(about.unit)} ${formatInteger(unit)}`,
      scoreText(series, goal, goal?.metric ?? about.charts[0] ?? "", unit),
      `seed=${seed}`,
      ...changed.map(([name, value]) => `${name}=${settingText(value)}`),
    ].filter(Boolean),
  };
}

/** The value of a metric at a unit, with its label and the goal: "correct cells 53.85%, goal 100%". */
function scoreText(series: Series, goal: Goal | null, metric: string, unit: number): string {
  const spec = series.spec(metric);
  if (!spec) return "";
  const value = series.last(metric, unit);
  const margin = series.last(marginName(series.specs, metric) ?? "", unit);
  const score = Number.isFinite(value)
    ? withUnit(formatMeasured(value, margin, 3, spec.unit), spec.unit)
    : "not measured yet";
  const target = goal ? `, goal ${withUnit(minus(String(goal.target)), spec.unit)}` : "";
  return `${spec.label} ${score}${target}`;
}

/** The parts in lines that are at most this wide; a part that is wider alone has a line of its own. */
export function captionLines(parts: string[], width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length > 0 ? `${lines.at(-1) ?? ""} · ${part}` : part;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
