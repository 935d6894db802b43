// The plays of a position in the judgement of the expert, whatever run is open.

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
  const source = await readExpert();
  if (!source || signal.aborted) return null;
  const options = { source, signal, priority: WAITED_FOR };
  const answer = await askApart("backgammon", bundle, "plays", { position, plies, cube: true, also }, options).catch(
    () => null,
  );
  return answer?.output?.plays ?? null;
}
