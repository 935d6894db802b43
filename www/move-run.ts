// Moves the open run between the CPU and the GPU. The two need different builds (bundles), so a worker cannot switch:
// the run is saved at the end of its unit (training iteration) and resumed from that file in a new worker. If that
// fails, the run goes on on its old device.

import { whyNoGpu, type Device } from "./core/bundle";
import { IncomingFailure, type Incoming } from "./core/incoming";
import type { Replay } from "./core/replay";
import { Superseded } from "./core/requests";
import type { Run } from "./core/run";
import type { Settings } from "./core/values";
import type { StopAtGoal } from "./core/stop-at-goal";
import type { LabInfo } from "./generated/protocol";

/** The parts of the page that `moveRun` uses. */
export interface MoveContext {
  run: Run;
  workers: {
    device: Device;
    incoming: Incoming | null;
    newIncoming: (lab: LabInfo, settings: Settings) => Incoming;
    dropIncoming: () => void;
    tellGpuProblem: (text: string) => void;
  };
  runs: { replay: Replay | null };
  stopAtGoal: Pick<StopAtGoal, "resume">;
}

/**
 * Moves the open run to this device, or ends a move away from it. Does nothing if no run is open or the lab cannot use
 * a GPU. A failure is shown as a notice.
 */
export async function moveRun({ run, workers, runs, stopAtGoal }: MoveContext, device: Device): Promise<void> {
  const { lab } = run;
  if (!lab?.usesGpu || !run.open) return;
  if (device === run.device) {
    if (workers.device !== device) workers.dropIncoming(); // ends the move, which resumes the run
    workers.device = device;
    return;
  }
  const reason = device === "gpu" ? whyNoGpu() : undefined;
  if (reason) return workers.tellGpuProblem(reason);
  workers.device = device;
  const incoming = workers.newIncoming(lab, run.settings);
  let wasRunning = false;
  let hasMoved = false;
  let replay: Replay | null = null;
  /**
   * True once a run has been opened since the move began: another run in this worker, or this one in the new worker.
   */
  let isReplaced = false;
  const unsubscribe = run.on("opened", () => (isReplaced = true));
  try {
    await incoming.fetched;
    await incoming.start();
    // A replay goes on after the move, on whichever device the run then is.
    replay = runs.replay;
    replay?.hold();
    wasRunning = run.progress.running;
    run.pause();
    await incoming.resume((await run.save()).bytes);
    if (workers.incoming !== incoming) throw new Superseded();
    incoming.throwIfClosed();
    workers.incoming = null;
    run.adopt(incoming, run.currentNote());
    hasMoved = true;
    if (wasRunning) stopAtGoal.resume();
  } catch (error) {
    const isCurrent = workers.incoming === incoming;
    if (isCurrent) workers.dropIncoming();
    if (wasRunning && run.open && !isReplaced) stopAtGoal.resume();
    // Nothing to report if a newer request has replaced this one, or the run has failed, which the page shows already.
    if (!isCurrent || !run.open) return;
    workers.device = run.device;
    if (!(error instanceof Superseded))
      workers.tellGpuProblem(`The run could not be moved: ${reasonOf(error as Error)}`);
  } finally {
    unsubscribe();
    // `run.adopt` opens the run in its new worker, which alone does not make it another run.
    if (isReplaced && !hasMoved) replay?.leave();
    else replay?.release();
  }
}

function reasonOf(error: Error): string {
  const kind = error instanceof IncomingFailure ? error.failure.kind : null;
  if (kind === "memory" || kind === "noMemory") return "there is not enough memory for a copy of the run";
  return error.message;
}
