// What the trained networks that ship with the page, one for each puzzle, have been measured to do, and what is said of
// one when it is loaded.

import { formatInteger } from "../../core/format";
import type { Settings } from "../../core/link";
import { presetById } from "../../core/presets";
import type { Run } from "../../core/run";
import type { Introduction } from "../../ui/introduction";
import type { CubeView, LabInfo } from "../../generated/protocol";

type Puzzle = CubeView["puzzle"];

/**
 * The network of the 3×3×3. Measured by `learnery cube eval models/cube3.safetensors --states 1000 --width 32768`;
 * docs/results.md has the same. `turns` are quarter turns of a solution on average, with their margin of error, and
 * `shortest` those of the shortest solutions. It was trained for `minutes` on two cores.
 */
export const LARGE_STRENGTH = {
  states: 1000,
  solved: 1000,
  turns: 22.16,
  margin: 0.08,
  beamWidth: 32_768,
  shortest: 20.6,
  minutes: 63,
};

/**
 * The network of the 2×2×2. It was tested in every state there is when its training ended; docs/results.md has the
 * same. `excess` are the quarter turns of a solution beyond those of the shortest one, on average. `seconds` is the
 * processor time of its training, on one core.
 */
export const SMALL_STRENGTH = { states: 3_674_160, solved: 3_674_160, excess: 0, seconds: 48 };

/** How they were trained: the settings of a preset except for these, the seed and the units (training iterations). */
export const TRAINED_BY: Record<Puzzle, { preset: string; settings: Settings; seed: number; units: number }> = {
  "2x2x2": { preset: "large", settings: {}, seed: 0, units: 12 },
  "3x3x3": { preset: "cube3", settings: { distil: 100_000, judge_every: 0 }, seed: 1, units: 497 },
};

/** What of a run tells whether it began with a trained network. */
export type TrainedRun = Pick<Run, "lab" | "settings" | "seed" | "networkSince" | "progress" | "series">;

/** The puzzle of the trained network that a run began with: its origin determines the network. Null for others. */
function trainedPuzzle({ lab, settings, seed, networkSince }: TrainedRun): Puzzle | null {
  const puzzle = settings["puzzle"] as Puzzle;
  if (lab === null || !(puzzle in TRAINED_BY)) return null;
  const { units, seed: trainedSeed } = TRAINED_BY[puzzle];
  return networkSince === units && seed === trainedSeed && isTrainedBy(lab, settings, puzzle) ? puzzle : null;
}

/** Whether these are the settings of its training. Live settings may have changed since it was loaded. */
function isTrainedBy(lab: LabInfo, settings: Settings, puzzle: Puzzle): boolean {
  const { preset, settings: others } = TRAINED_BY[puzzle];
  const trainedBy: Settings = { ...presetById(lab, preset), ...others };
  const fixed = lab.fields.filter(({ live }) => !live);
  return fixed.every(({ name, default: usual }) => settings[name] === (trainedBy[name] ?? usual));
}

/** Whether the open run is a trained network as it was loaded. */
export function isTrained(run: TrainedRun): boolean {
  const puzzle = trainedPuzzle(run);
  return puzzle !== null && run.progress.units === TRAINED_BY[puzzle].units;
}

/** What is said of a run that began with a trained network, until it is tested itself; null for other runs. */
export function introduceTrained(run: TrainedRun): Introduction | null {
  const puzzle = trainedPuzzle(run);
  if (puzzle === null || Number.isFinite(run.series.last("solved"))) return null;
  const { trained, solved, how, headline } = puzzle === "3x3x3" ? largeWords() : smallWords();
  const unchanged = isTrained(run);
  return {
    story: unchanged
      ? `This network was trained before, for ${trained}. It ${solved}, ${how}. Scramble the cube for it.`
      : `It began as the trained network, which ${solved}. It has learned on since then and has not been tested.`,
    headline: { ...headline, name: unchanged ? headline.name : `${headline.name}, before it learned on` },
    note: "A new run starts with an untrained network.",
  };
}

/** Parts of sentences about a trained network. */
interface TrainedWords {
  /** How long it was trained. */
  trained: string;
  /** What it solved, and how well. */
  solved: string;
  how: string;
  headline: Introduction["headline"];
}

function largeWords(): TrainedWords {
  const { states, solved, turns, margin, beamWidth, shortest, minutes } = LARGE_STRENGTH;
  return {
    trained: `${minutes} minutes on two cores`,
    solved: `solved ${solved === states ? "all" : formatInteger(solved)} of ${formatInteger(states)} random states`,
    how: `in ${turns.toFixed(1)} quarter turns on average`,
    headline: {
      name: "random states solved",
      value: String((100 * solved) / states),
      unit: "%",
      comparison:
        `Measured before, with a beam width of ${formatInteger(beamWidth)}: ${turns} ± ${margin} quarter turns on average; ` +
        `the shortest solutions have about ${shortest}.`,
    },
  };
}

function smallWords(): TrainedWords {
  const { states, solved, excess, seconds } = SMALL_STRENGTH;
  const turns = excess.toFixed(1);
  const length =
    turns === "0.0" ? "on average as short as possible" : `on average ${turns} turns longer than the shortest`;
  return {
    trained: `${seconds} seconds on one core`,
    solved: `solved ${solved === states ? "all" : formatInteger(solved)} of the ${formatInteger(states)} states`,
    how: `in solutions that are ${length}`,
    headline: {
      name: "states solved",
      value: String((100 * solved) / states),
      unit: "%",
      comparison: `Measured before, in every state there is, without a search: the solutions are ${length}.`,
    },
  };
}
