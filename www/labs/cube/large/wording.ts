// What the agent's searches have come to, in words.

import { formatCount, formatInteger, formatTenths } from "../../../core/format";

/** The state of the searches. */
export interface SearchState {
  searching: boolean;
  isSolved: boolean;
  /** Searches that have ended. */
  searches: number;
  /** The turns of the shortest solution, and how many were made. */
  length: number;
  made: number;
  /** Layers of the present search, or of the last one; 0 before the first. */
  layers: number;
}

/** The state of the searches in a sentence. */
export function describeSearch({ searching, isSolved, searches, length, made, layers }: SearchState): string {
  if (length > 0 && made === length) return `Solved in ${formatCount(length, "turn")}.`;
  const after = searches === 1 ? "1 search" : `${formatInteger(searches)} searches`;
  if (length > 0) {
    const found = `A solution of ${formatCount(length, "turn")}, after ${after}`;
    return searching ? `${found}; still looking for a shorter one.` : `${found}.`;
  }
  if (isSolved) return "The cube is solved.";
  if (searching) return searches === 0 ? "Searching for a solution …" : `Still searching: no solution after ${after}.`;
  if (layers === 0) return "Let the agent search for a solution, or turn the cube yourself.";
  if (searches === 0) return "Stopped before the first search ended.";
  return `No solution in ${after}. Let it learn for longer, or use a shorter scramble.`;
}

/** The newest layer of a search in a sentence. `best` is the best guess of the distance from solved, if there is one. */
export function describeLayer(depth: number, states: number, width: number, best: number | null): string {
  const guess = best === null ? "" : `, the best ${formatTenths(best)} turns from solved by its guess`;
  return `Depth ${depth}: ${formatCount(states, "state")} of at most ${formatInteger(width)}${guess}.`;
}
