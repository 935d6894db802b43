// The sentences that describe the agent's searches and its turns.

import { formatCount, formatInteger, formatTenths } from "../../../core/format";
import { colourName } from "../colours";
import { moveOf } from "../space";

/** The state of the searches. */
export interface SearchState {
  searching: boolean;
  isSolved: boolean;
  /** Searches that have ended. */
  searches: number;
  /** The number of turns of the shortest solution (0 without one), and how many of them have been made on the cube. */
  length: number;
  made: number;
  /** Whether a search from this state has begun. */
  hasSearched: boolean;
}

/** The state of the searches in a sentence. */
export function describeSearch({ searching, isSolved, searches, length, made, hasSearched }: SearchState): string {
  if (length > 0 && made === length) return `Solved in ${formatCount(length, "turn")}.`;
  const after = searches === 1 ? "1 search" : `${formatInteger(searches)} searches`;
  if (length > 0) {
    const found = `Best solution so far: ${formatCount(length, "turn")}, after ${after}`;
    return searching ? `${found}; still looking for a shorter one.` : `${found}.`;
  }
  if (isSolved) return "The cube is solved.";
  if (searching) return searches === 0 ? "Searching for a solution …" : `Still searching: no solution after ${after}.`;
  if (!hasSearched) return "Let the agent search for a solution, or turn the cube yourself.";
  if (searches === 0) return "Stopped before the first search ended.";
  return `No solution in ${after}. Train the agent for longer, or use a shorter scramble.`;
}

/**
 * Describes the newest layer of a search. `best` is the lowest estimated distance from solved, or null if there is
 * none.
 */
export function describeLayer(depth: number, states: number, width: number, best: number | null): string {
  const estimate = best === null ? "" : `; the lowest estimate is ${formatTenths(best)} turns from solved`;
  return `Depth ${depth}: ${formatCount(states, "state")} (beam width ${formatInteger(width)})${estimate}.`;
}

/** A turn in words: "Turn the blue face by half a turn". The centres name the faces. */
export function describeTurn(name: string): string {
  const { quarters } = moveOf(name);
  const how = Math.abs(quarters) === 2 ? "by half a turn" : quarters > 0 ? "clockwise" : "counterclockwise";
  return `Turn the ${colourName(name.charAt(0))} face ${how}`;
}

/** What runs with the settings of a preset were measured to take; docs/results.md has the same. */
const MEASURED_TIMES: Partial<Record<string, string>> = {
  cube3:
    "With these settings, 28 minutes of training on two cores, outside of a browser, were enough to solve 100 of 100 random cubes. A tab may take longer.",
  "cube3-small":
    "With these settings, 12 seconds at max speed, in a tab on two cores, were enough to solve 32 of 32 scrambles of 8 turns.",
};

/** How long it takes until an agent solves cubes. `preset` is that of the run's settings; null for other settings. */
export function expectedTime(preset: string | null): string {
  const measured = preset === null ? undefined : MEASURED_TIMES[preset];
  return (
    measured ??
    "How long these settings take was not measured; until a run solves random cubes it can be hours. A trained network can be loaded here:"
  );
}
