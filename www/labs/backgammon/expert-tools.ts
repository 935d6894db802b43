// Questions to the expert's network, whatever run is open.

import { askApart } from "../../core/tools-worker";
import type { BundleChoice } from "../../core/bundle";
import type { LabTools } from "../../generated/protocol";
import { fetchExpert } from "./expert";

type JudgedPlay = LabTools["backgammon"]["plays"]["output"]["plays"][number];

/** The network as a file, once it has arrived. */
let network: Promise<Uint8Array<ArrayBuffer> | null> | null = null;

/** The expert's network as a file; null if it could not be loaded. The next call then tries again. */
export async function readExpert(): Promise<Uint8Array<ArrayBuffer> | null> {
  network ??= fetchExpert().then(async (file) => file && new Uint8Array(await file.arrayBuffer()));
  const bytes = await network.catch(() => null);
  if (!bytes) network = null;
  return bytes;
}

/** All legal plays of a position, the best first; null if that could not be found out, or was ended by the signal. */
export async function expertPlays(
  bundle: BundleChoice,
  position: string,
  plies: number,
  signal: AbortSignal,
): Promise<readonly JudgedPlay[] | null> {
  const source = await readExpert();
  if (!source || signal.aborted) return null;
  const answer = await askApart("backgammon", bundle, "plays", { position, plies }, { source, signal }).catch(
    () => null,
  );
  return answer?.output?.plays ?? null;
}
