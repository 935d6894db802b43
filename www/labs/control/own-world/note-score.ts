// Notes the scores of episodes in which the visitor chose every action: the best one in a world is a line in the learning
// curve. They are forgotten with the page. A first visit does without this file.

import { yourScores } from "../your-scores";

/** What decides whether two worlds of a visitor's own are the same. */
interface OwnRules {
  text: string;
  parameters?: Record<string, number>;
}

/** The best scores in worlds of the visitor's own, by `scoreKey`. */
const best = new Map<string, number>();
/** The world of the open run, by `scoreKey`; null if it is not known, or another world. */
let shown: string | null = null;

/** What scores in a world of the visitor's own are noted by: its text, and the parameters that differ from it. */
export function scoreKey({ text, parameters = {} }: OwnRules): string {
  // A run has parameters as 32-bit numbers.
  const values = Object.entries(parameters).map(([name, value]): [string, number] => [name, Math.fround(value)]);
  return JSON.stringify([text, values.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function raise<Key>(scores: Map<Key, number>, key: Key, score: number): void {
  if (Number.isFinite(score)) scores.set(key, Math.max(score, scores.get(key) ?? -Infinity));
}

/** Notes a score in a world of the lab. */
export const noteScore = (world: string, score: number): void => raise(yourScores, world, score);

/** Notes a score in a world of the visitor's own. */
export function noteOwnScore(rules: OwnRules, score: number): void {
  raise(best, scoreKey(rules), score);
  showOwnScore(shown);
}

/** The open run learns this world of the visitor's own, by `scoreKey`; null if none, or if it is not known. */
export function showOwnScore(key: string | null): void {
  shown = key;
  const score = key === null ? undefined : best.get(key);
  if (score === undefined) yourScores.delete("own");
  else yourScores.set("own", score);
}
