// What a picture that leaves the page says about its run: the lab; then how far the run was, its headline, its seed,
// and the settings that differ from the defaults.

import { formatInteger, sentenceStart, withUnit } from "../../core/format";
import { changedSettings, settingText, type Settings } from "../../core/link";
import type { Series } from "../../core/series";
import type { LabInfo } from "../../generated/protocol";
import { goalText, headlineValue, type Headline, type LastValue } from "../headline";
import type { Introduction } from "../introduction";

export interface Caption {
  title: string;
  /** Short texts that are joined by dots. A line may end between two of them. */
  parts: string[];
}

export interface CaptionedRun {
  lab: LabInfo;
  series: Series;
  headline: (last: LastValue) => Headline;
  seed: number;
  settings: Settings;
}

/** The caption of what a run shows after so many units. */
export function captionOf({ lab, series, headline, seed, settings }: CaptionedRun, units: number): Caption {
  const { about } = lab;
  const last = (metric: string) => series.last(metric, units);
  const changed = Object.entries(changedSettings(lab, settings));
  return {
    title: titleOf(lab),
    parts: [
      `${sentenceStart(about.unit)} ${formatInteger(units)}`,
      headlineText(headline(last), series, last),
      `seed=${seed}`,
      ...changed.map(([name, value]) => `${name}=${settingText(value)}`),
    ],
  };
}

/** The caption of a picture that shows a ready-made trained network in place of the run's agent. */
export function introducedCaption(lab: LabInfo, { headline: { name, value, unit } }: Introduction): Caption {
  return { title: titleOf(lab), parts: ["Trained network", `${name} ${withUnit(value, unit)}`] };
}

const titleOf = ({ about }: LabInfo) => `Learnery: ${about.title}`;

/** The headline with its name and the goal: "correct cells 53.85%, goal 100%". */
function headlineText(headline: Headline, series: Series, last: LastValue): string {
  const { metric, name, unit, target } = headline;
  const value = Number.isFinite(last(metric))
    ? withUnit(headlineValue(headline, series, last), unit)
    : "not measured yet";
  return [`${name} ${value}`, target === null ? "" : withUnit(goalText(target), unit)].filter(Boolean).join(", ");
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
