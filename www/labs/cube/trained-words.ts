// What the trained network of the 3×3×3, which ships with the page, has been measured to do, and what is said of it
// when it is loaded.

import { formatInteger } from "../../core/format";
import type { Settings } from "../../core/link";
import { presetById } from "../../core/presets";
import type { Run } from "../../core/run";
import type { Introduction } from "../../ui/introduction";
import type { LabInfo } from "../../generated/protocol";

/**
 * Measured by `learnery cube eval models/cube3.safetensors --states 1000 --width 32768`; docs/results.md has the same.
 * `turns` are quarter turns of a solution on average, with their margin of error, and `shortest` those of the shortest
 * solutions. It was trained for `minutes` on two cores.
 */
export const STRENGTH = {
  states: 1000,
  solved: 1000,
  turns: 22.16,
  margin: 0.08,
  beamWidth: 32_768,
  shortest: 20.6,
  minutes: 63,
};

/** How it was trained: the settings of a preset except for these, the seed and the units (training iterations). */
export const TRAINED_BY = { preset: "cube3", settings: { distil: 100_000, judge_every: 0 }, seed: 1, units: 497 };

/** What of a run tells whether it began with the trained network. */
export type TrainedRun = Pick<Run, "lab" | "settings" | "seed" | "networkSince" | "progress" | "series">;

/** Whether a run began with the trained network: its origin determines the network. */
function isFromTrained({ lab, settings, seed, networkSince }: TrainedRun): boolean {
  return networkSince === TRAINED_BY.units && seed === TRAINED_BY.seed && lab !== null && isTrainedBy(lab, settings);
}

/** Whether these are the settings of its training. Live settings may have changed since it was loaded. */
function isTrainedBy(lab: LabInfo, settings: Settings): boolean {
  const trainedBy: Settings = { ...presetById(lab, TRAINED_BY.preset), ...TRAINED_BY.settings };
  const fixed = lab.fields.filter(({ live }) => !live);
  return fixed.every(({ name, default: usual }) => settings[name] === (trainedBy[name] ?? usual));
}

/** Whether the open run is the trained network as it was loaded. */
export function isTrained(run: TrainedRun): boolean {
  return isFromTrained(run) && run.progress.units === TRAINED_BY.units;
}

/** What is said of a run that began with the trained network, until it is tested itself; null for other runs. */
export function introduceTrained(run: TrainedRun): Introduction | null {
  if (!isFromTrained(run) || Number.isFinite(run.series.last("solved"))) return null;
  const { states, solved, turns, margin, beamWidth, shortest, minutes } = STRENGTH;
  const unchanged = isTrained(run);
  const solvedStates = `solved ${solved === states ? "all" : formatInteger(solved)} of ${formatInteger(states)} random states`;
  return {
    story: unchanged
      ? `This network was trained before, for ${minutes} minutes on two cores. It ${solvedStates}, in ${turns.toFixed(1)} quarter turns on average. Scramble the cube for it.`
      : `It began as the trained network, which ${solvedStates}. It has learned on since then and has not been tested.`,
    headline: {
      name: unchanged ? "random states solved" : "random states solved, before it learned on",
      value: String((100 * solved) / states),
      unit: "%",
      comparison:
        `Measured before, with a beam width of ${formatInteger(beamWidth)}: ${turns} ± ${margin} quarter turns on average; ` +
        `the shortest solutions have about ${shortest}.`,
    },
    note: "A new run starts with an untrained network.",
  };
}
