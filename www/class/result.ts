// Takes the result of the open run: completes its unit (training iteration), computes the fingerprint there, and writes
// its link and its curve.

import type { Challenge } from "../core/challenge";
import { sentence } from "../core/format";
import { writeLink } from "../core/link";
import { packData } from "../core/packed";
import { Refusal } from "../core/requests";
import type { Run } from "../core/run";
import type { Answer, Result } from "./code";
import { doneBy, ownChallenges, readable } from "./done-challenges";

/** What is said if a result could not be taken for a reason that nobody has foreseen. */
export const FAILED = "The result could not be taken. Try again.";

/** The metric that stands for a run: that of its goal or, without one, of the lab's first chart. */
export function metricOf({ goal, lab }: Pick<Run, "goal" | "lab">): string {
  return goal?.metric ?? lab?.about.charts[0] ?? "";
}

/** Why the open run has no result code, as a sentence; null if it can have one. */
export function whyNoResult(run: Run): string | null {
  if (!run.open || !run.lab) return "No run is open.";
  if (run.networkSince !== null)
    return "This run went on from a network that was trained before, so nobody can repeat it from its start. Start a new run.";
  return null;
}

const CHANGED = "The run has changed or failed meanwhile. Try again.";

/**
 * The result of the open run at the end of its present unit, or what prevents it, as a sentence. `linked` are
 * challenges beside the lab's own, such as that of the class.
 */
export async function resultOf(
  run: Run,
  name: string,
  answers: Answer[],
  linked: readonly Challenge[] = [],
): Promise<{ result: Result; units: number } | { problem: string }> {
  const problem = whyNoResult(run);
  const { lab } = run;
  if (problem !== null || !lab) return { problem: problem ?? "" };
  const challenges = [...linked, ...(await ownChallenges(lab))];
  if (run.lab !== lab) return { problem: CHANGED };
  const saved = await fingerprinted(run);
  if (saved instanceof Refusal) return { problem: sentence(saved.message) };
  if (!saved) return { problem: CHANGED };
  const { units, fingerprint } = saved;
  if (units === 0) return { problem: `This run has no ${lab.about.unit} yet. Train it first.` };
  const { settings, seed, changes } = run.origin();
  const metric = metricOf(run);
  const end = { changes, bits: `${run.bundle.bits}:${fingerprint}` };
  const link = writeLink(lab, settings, seed, units, run.device, end).slice(2);
  const target = run.goal?.metric === metric ? run.goal.target : null;
  const curve = run.series.measured(metric, units);
  const found = doneBy(run, challenges, units);
  // The first wait after the run was read: another one may be opened meanwhile.
  const data = await packData(changes);
  if (data === null)
    return {
      problem:
        "This run learns from your own data, which are too long for a code. “Save recipe” in “Share and save” holds them.",
    };
  const done = await readable(found, lab);
  return { result: { name, link: link + data, metric, target, curve, answers, done }, units };
}

/**
 * The run's fingerprint at the end of its unit, and that unit; null if another run was opened or it has failed, and the
 * refusal if the worker refuses to save it.
 */
async function fingerprinted(run: Run): Promise<{ units: number; fingerprint: string } | Refusal | null> {
  const saved = await run
    .save({ fingerprint: true })
    .catch((error: unknown) => (error instanceof Refusal ? error : null));
  if (!saved || saved instanceof Refusal) return saved;
  const { units, fingerprint } = saved;
  // The metrics of the unit may come after its save.
  const isComplete = await new Promise<boolean>((resolve) => {
    const end = (isComplete: boolean) => {
      for (const unsubscribe of subscriptions) unsubscribe();
      resolve(isComplete);
    };
    const check = () => run.progress.units >= units && end(true);
    const subscriptions = [
      run.on("progress", check),
      run.on("opened", () => end(false)),
      run.on("closed", () => end(false)),
    ];
    check();
  });
  return isComplete ? { units, fingerprint: fingerprint ?? "" } : null;
}
