// Measures how much faster a GPU trains the open run on this machine than the CPU: copies of the run train in workers
// of their own, first on the CPU, then on the GPU, at least five seconds each. The run itself is paused at the start.

import type { LabInfo } from "../generated/protocol";
import { GPU_BUNDLE, type BundleChoice, type Device } from "./bundle";
import { Incoming } from "./incoming";
import { Superseded } from "./requests";
import { Run } from "./run";
import type { StopAtGoal } from "./stop-at-goal";

/** The speed of the GPU divided by that of the CPU. */
export interface TrialResult {
  ratio: number;
  /** Whether the GPU is emulated in software. */
  software: boolean;
}

/** Seconds of training that are measured on each device. */
const MEASURED_SECONDS = 5;
/** How long a device may take to report work for the first time, and again from then to the end of the measurement. */
const MAX_SECONDS = 60;

export class DeviceTrial {
  #isCanceled = false;
  #rejectCanceled: (reason: Error) => void = () => {};
  /** Rejects when the trial is canceled. */
  #canceled = new Promise<never>((_, reject) => (this.#rejectCanceled = reject));

  /** `onPhase` is called when the measurement of a device begins. */
  constructor(
    readonly run: Run,
    readonly stopAtGoal: Pick<StopAtGoal, "resume">,
    readonly onPhase: (device: Device) => void,
  ) {
    this.#canceled.catch(() => {}); // it may be canceled while nothing waits for it
  }

  /**
   * Measures both devices. Rejects with the reason if one cannot be measured, and with `Superseded` if no run is open
   * or if canceled.
   */
  async measure(): Promise<TrialResult> {
    const { run } = this;
    const { lab } = run;
    if (!lab || !run.open || this.#isCanceled) throw new Superseded();
    const wasRunning = run.progress.running;
    let isReplaced = false;
    const unsubscribe = run.on("opened", () => (isReplaced = true));
    run.pause();
    try {
      const { bytes: checkpoint } = await Promise.race([this.#canceled, run.save()]);
      this.onPhase("cpu");
      const cpu = await this.#measureDevice(run.cpuBundle, lab, checkpoint);
      this.onPhase("gpu");
      const gpu = await this.#measureDevice(GPU_BUNDLE, lab, checkpoint);
      return { ratio: gpu.workPerSecond / cpu.workPerSecond, software: gpu.software };
    } finally {
      unsubscribe();
      if (wasRunning && run.open && !isReplaced) this.stopAtGoal.resume();
    }
  }

  /** Ends the trial; `measure` rejects with `Superseded`. */
  cancel(): void {
    this.#isCanceled = true;
    this.#rejectCanceled(new Superseded());
  }

  async #measureDevice(
    bundle: BundleChoice,
    lab: LabInfo,
    checkpoint: Uint8Array<ArrayBuffer>,
  ): Promise<{ workPerSecond: number; software: boolean }> {
    if (this.#isCanceled) throw new Superseded();
    const run = new Run(bundle);
    run.pace = null; // max speed
    const incoming = new Incoming(bundle, lab, this.run.settings, () => {});
    try {
      return await Promise.race([this.#canceled, this.#train(run, incoming, checkpoint)]);
    } finally {
      incoming.close();
      run.close();
    }
  }

  async #train(run: Run, incoming: Incoming, checkpoint: Uint8Array<ArrayBuffer>) {
    await incoming.fetched;
    await incoming.start();
    await incoming.resume(checkpoint.slice()); // a copy, because posting the bytes detaches them
    const failed = new Promise<never>((_, reject) => {
      run.on("failed", ({ message }) => reject(new Error(message)));
      run.on("refused", ({ message }) => reject(new Error(message)));
      run.on("device", ({ gpu, message }) => gpu || reject(new Error(message ?? "the GPU cannot be used")));
    });
    const onDevice = new Promise<void>((resolve) => {
      if (run.cpuBundle.name === GPU_BUNDLE.name) run.on("device", ({ gpu }) => gpu && resolve());
      else resolve();
    });
    run.adopt(incoming);
    await Promise.race([failed, onDevice]);
    const measured = measureWork(run);
    run.play();
    const workPerSecond = await Promise.race([failed, measured]);
    return { workPerSecond, software: run.gpu?.software ?? false };
  }
}

/**
 * The work per second of a run that has just been started. Work may be reported only once in a unit (training
 * iteration), so the time is that between two reports.
 */
function measureWork(run: Run): Promise<number> {
  return new Promise((resolve, reject) => {
    let first: { time: number; work: number } | null = null;
    let lastWork = run.progress.work;
    const timeout = new Error(`no ${run.lab?.about.unit ?? "iteration"} ended within ${MAX_SECONDS} seconds`);
    let timer = setTimeout(() => reject(timeout), 1000 * MAX_SECONDS);
    run.on("progress", ({ work }) => {
      if (work === lastWork) return;
      lastWork = work;
      const time = performance.now() / 1000;
      if (!first) {
        first = { time, work };
        clearTimeout(timer);
        timer = setTimeout(() => reject(timeout), 1000 * MAX_SECONDS);
      } else if (time - first.time >= MEASURED_SECONDS) {
        clearTimeout(timer);
        resolve((work - first.work) / (time - first.time));
      }
    });
  });
}
