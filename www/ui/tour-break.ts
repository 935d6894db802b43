// The last captions of a tour, which break what the network has learned: a setting, mostly the learning rate, is turned
// all the way up, a metric gets worse, the setting is turned down again, and the agent from before can be brought back.
// What got worse is told from the run's own record.

import {
  breakingField,
  earlierSettings,
  earlierValue,
  isAnnealed,
  isTooHigh,
  turnedDown,
  turnedTooHigh,
  type BreakingSetting,
} from "../core/breaking-setting";
import { formatCount, sentenceStart } from "../core/format";
import type { Settings } from "../core/link";
import type { Run } from "../core/run";
import {
  isWorse,
  measuredAfter,
  measuredText,
  unitsUntilWorse,
  usableMeasure,
  type Measure,
} from "../core/since-change";
import type { Change } from "../generated/protocol";
import type { Deed } from "./deeds";
import type { Caption, Leftover } from "./tour-caption";

export interface BreakOptions {
  /** What the setting does, and how it breaks what was learned; `title` is its name. */
  text: (title: string) => string;
  /** Why learning may recover once the setting is low again. */
  recovery: string;
  /** What is said beside the measures of a lab whose score shows the break later; left out, it shows at once. */
  later?: string;
  /** What a low setting is good for, said if nothing broke. */
  whenLow: string;
  /** The metrics that can show it, the most visible first. */
  measures: Measure[];
  /** Selectors of what shows it, for the captions about it. */
  at: string[];
  /** The setting, if it is not the learning rate. */
  breaking?: BreakingSetting;
  /** What the setting `anneal` counts in a unit (training iteration). */
  updates?: (settings: Settings) => number;
}

/**
 * The run that a tour has broken last. It is kept outside of the captions, because these are made anew when the run
 * opens that brings its agent back.
 */
let brokenRun: string | null = null;

/** The texts about a learning rate. `changed` is what an update changes. */
export function learningRateTexts(changed: string): Pick<BreakOptions, "text" | "recovery" | "whenLow"> {
  return {
    text: (title) =>
      `Break it. The ${title} sets how much each update changes ${changed}. Big updates can undo learning.`,
    recovery: "With smaller updates it may learn again.",
    whenLow: "Small updates can undo less of what was learned than big ones.",
  };
}

/** Starts a new run from the agent before a change, which is recorded with the unit at whose end it took effect. */
const bringBackDeed = ({ unit }: Change): Deed => ({ branchAt: Math.max(0, unit - 1) });

/** Said of a run with infinite numbers or NaN, which no later update repairs. */
const DIVERGED_TEXT = "Its numbers are broken for good.";

export function breakCaptions(run: Run, options: BreakOptions): Caption[] {
  const { text, recovery, whenLow, later = "", measures, at, breaking, updates } = options;
  const lab = run.lab ?? run.loaded;
  if (!lab) return [];
  const { name, title, max: highest, main: hasDial } = breakingField({ lab, settings: run.settings, breaking });
  /** The dial of the setting, or where all settings are. */
  const dial = [`.lab-side .dial:has(#dial-${name}-help)`, `.setting:has(#setting-${name})`, "#tool-tab-settings"];
  const now = () => ({ lab, settings: run.settings, changes: run.changes, breaking });
  const isHigh = () => isTooHigh(now());
  /** Whether annealing has lowered the learning rate so far that turning it up would not show. */
  const rateHides = () => isAnnealed(run.settings, run.progress, updates?.(run.settings) ?? 1);
  /** The change that turned the setting up, with the measure that shows its effect. */
  const raised = () => {
    const change = turnedTooHigh(now());
    const measure = change && usableMeasure(measures, run.series, change.unit);
    return change && measure ? { change, measure } : null;
  };
  /** What was last measured, up to a unit. */
  const valueText = ({ metric, format }: Measure, unit?: number) =>
    format?.(run.series.last(metric, unit)) ?? measuredText(run.series, metric, unit);
  const readingOf = (measure: Measure, from: number) =>
    `${sentenceStart(measure.words)}: ${valueText(measure, from)} before, ${valueText(measure)} now`;
  /** After how many units it got worse; null if it has not. */
  const worse = () => {
    const up = raised();
    return up && unitsUntilWorse(run.series, up.measure, up.change.unit);
  };
  const value = () => Number(run.settings[name]);
  /** What broke here: the change, the metric that shows it, and its value before. */
  let broken: { change: Change; measure: Measure; from: number } | null = null;
  const noteBreak = () => {
    const up = raised();
    if (!up || (worse() === null && !run.diverged)) return;
    broken = { ...up, from: run.series.last(up.measure.metric, up.change.unit) };
    brokenRun = run.note.id;
  };
  /** Whether the open run is a branch of the broken one. */
  const isBack = () => brokenRun !== null && run.note.parent?.id === brokenRun;
  /** Whether the metric, measured since the setting was turned down, is no longer worse. */
  const isRecovered = () => {
    const down = turnedDown(now());
    if (!down || !broken) return false;
    const value = measuredAfter(run.series, broken.measure.metric, down.unit).at(-1);
    return value !== undefined && !isWorse(broken.measure, broken.from, value);
  };
  /** The last value of the setting that was not too high, since these captions were made; null if there was none. */
  let usual: number | null = null;
  const noteUsual = () => {
    if (!isHigh()) usual = value();
  };
  noteUsual();
  /** What was broken during the tour and is so still: the setting is too high, or the agent has forgotten. */
  const leftover = (): Leftover | null => {
    if (usual === null) return null;
    noteBreak();
    const isForgotten = broken !== null && !isBack() && !isRecovered();
    const bringBack = broken && { button: "Bring it back in a new run", deeds: [bringBackDeed(broken.change)] };
    if (isHigh()) {
      // Until the unit ends, the change is not recorded, and with it the value before.
      const back = raised() ? earlierSettings(now()) : { [name]: usual };
      const before = Number(back[name]);
      if (bringBack) {
        const text = `The ${title} of ${value()} broke the agent. The timeline has it from before, at ${before}.`;
        return { ...bringBack, text };
      }
      const text = `The ${title} is still set to ${value()}; before, it was ${before}.`;
      return { text, button: "Set it back", deeds: [{ set: back }] };
    }
    if (!isForgotten || !bringBack) return null;
    return { ...bringBack, text: "The agent has not recovered so far. The timeline has it from before." };
  };
  return [
    {
      at: dial,
      text: text(title),
      task: () => {
        if (rateHides()) return `In Settings, turn annealing to 0 and ${title} up to ${highest}.`;
        return hasDial
          ? `Turn ${title} up to ${highest}, here or in Settings.`
          : `In Settings, turn ${title} up to ${highest}.`;
      },
      when: () => {
        noteUsual();
        return (
          usual !== null && (raised()?.measure ?? usableMeasure(measures, run.series, run.progress.units)) !== null
        );
      },
      needsRun: true,
      // A change takes effect, and is recorded, at the end of the unit.
      done: () => raised() !== null && !rateHides(),
      outcome: () => `The ${title} is set to ${value()} now.`,
      show: () => [{ set: { [name]: highest, ...(rateHides() && { anneal: 0 }) } }],
    },
    {
      at,
      text: () => `The ${title} is set to ${value()} now, and was ${earlierValue(now())} before. ${later}`.trimEnd(),
      task: () => `Watch the ${raised()?.measure.words ?? "run"}.`,
      when: () => raised() !== null,
      needsRun: true,
      done: () => worse() !== null || run.diverged,
      reading: () => {
        const up = raised();
        return up ? readingOf(up.measure, up.change.unit) : "";
      },
      outcome: () => {
        const [up, units] = [raised(), worse()];
        if (!up || units === null) return "It broke: its numbers are too large to compute with.";
        const { words, worse: direction } = up.measure;
        const { unit } = up.change;
        const [from, to] = [valueText(up.measure, unit), valueText(up.measure, unit + units)];
        const time = formatCount(units, lab.about.unit);
        return `The ${words} ${direction === "down" ? "fell" : "rose"} from ${from} to ${to} within ${time}.`;
      },
    },
    {
      at: dial,
      text: () => {
        noteBreak();
        if (run.diverged) return DIVERGED_TEXT;
        return broken ? recovery : whenLow;
      },
      task: () => `Turn ${title} down to ${earlierValue(now())}.`,
      when: isHigh,
      needsRun: true,
      done: () => !isHigh(),
      outcome: () => `The ${title} is set to ${value()} now.`,
      show: () => [{ set: earlierSettings(now()) }],
    },
    {
      at,
      text: () =>
        isBack()
          ? `The agent of ${lab.about.unit} ${run.note.parent?.units} is back, in a new run.`
          : `${run.diverged ? DIVERGED_TEXT : `Does it recover? ${later || "It may have forgotten too much."}`} The timeline still has the agent from before.`,
      task: () =>
        isBack()
          ? "The run that was broken is kept under “Runs”."
          : run.diverged
            ? "Bring the earlier agent back."
            : `Watch the ${broken?.measure.words ?? "run"}, or bring the earlier agent back.`,
      when: () => {
        noteBreak();
        return isBack() || (broken !== null && !isHigh());
      },
      needsRun: true,
      done: () => isBack() || isRecovered(),
      reading: () => (broken && !isBack() ? readingOf(broken.measure, broken.change.unit) : ""),
      outcome: () => {
        if (!broken || isBack()) return "";
        const { measure, change } = broken;
        return `The ${measure.words} is ${valueText(measure)} now, and was ${valueText(measure, change.unit)} before.`;
      },
      show: () => (broken && !isBack() ? [bringBackDeed(broken.change)] : []),
      showName: "Bring it back",
      busyName: "Bringing it back …",
      leftover,
    },
  ];
}
