// Plays and positions in the judgement of the expert, whatever run is open.

import { WAITED_FOR } from "../../../core/ask";
import { askApart } from "../../../core/tools-worker";
import type { BundleChoice } from "../../../core/bundle";
import { readExpert } from "../expert";
import type { JudgedPlay } from "./options";

/**
 * All legal plays with the cube, as the analysis of a match values them, the best first; `also` gets lookahead in any
 * case. Null if that could not be found out, or was ended by the signal.
 */
export async function expertPlays(
  bundle: BundleChoice,
  position: string,
  plies: number,
  signal: AbortSignal,
  also = "",
): Promise<readonly JudgedPlay[] | null> {
  const options = await expertOptions(signal);
  if (!options) return null;
  const answer = await askApart("backgammon", bundle, "plays", { position, plies, cube: true, also }, options).catch(
    () => null,
  );
  return answer?.output?.plays ?? null;
}

/** The chances of the side on roll in a position; null as for `expertPlays`. */
export async function expertChances(
  bundle: BundleChoice,
  position: string,
  plies: number,
  signal: AbortSignal,
): Promise<readonly number[] | null> {
  const options = await expertOptions(signal);
  if (!options) return null;
  const answer = await askApart("backgammon", bundle, "eval", { position, plies }, options).catch(() => null);
  return answer?.output?.outcomes ?? null;
}

/** What questions to the expert have in common; null if it could not be loaded, or is not asked any more. */
async function expertOptions(signal: AbortSignal) {
  const source = await readExpert();
  return source && !signal.aborted ? { source, signal, priority: WAITED_FOR } : null;
}
