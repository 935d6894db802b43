// The worker of the open run: what it computes on, and how another takes its place. The open run goes on until the new
// worker is ready.

import type { Autosave } from "./core/autosave";
import { GPU_BUNDLE, whyNoGpu, type Device } from "./core/bundle";
import { sentenceEnd } from "./core/format";
import { Incoming, IncomingFailure } from "./core/incoming";
import type { Settings } from "./core/values";
import type { LabInfo } from "./generated/protocol";
import { loadViewModule } from "./labs/manifests";
import { loadRecording } from "./labs/small-picture";
import type { MoveContext } from "./move-run";
import type { Runs } from "./runs";
import type { Trouble } from "./trouble";
import { LoadingCard } from "./ui/cards";
import type { Notices } from "./ui/notices";

/** The name of the notice that says that another program of the shown lab is being loaded. */
const LOADING_NOTICE = "program";

/** The parts of the page that `Workers` uses, beside those that moving a run to another device uses. */
export interface WorkersContext extends MoveContext {
  autosave: Pick<Autosave, "finish">;
  notices: Notices;
  readonly labScreen: { lab: LabInfo; cover: (card: null) => void } | null;
  runs: MoveContext["runs"] & Pick<Runs, "moment">;
  trouble: Pick<Trouble, "showFailure" | "showMissingPart">;
  show: (card: LoadingCard) => void;
}

export class Workers {
  /** What runs shall compute on, in labs that can use a GPU. */
  device: Device = "cpu";
  /** The worker that gets ready beside the open run; null if there is none. */
  incoming: Incoming | null = null;
  /** What to do once the new worker is ready. */
  #afterReady: (() => void) | null = null;
  #loading = new LoadingCard();
  /** How many moves to another device were asked for. */
  #moves = 0;

  constructor(readonly page: WorkersContext) {
    const { run } = page;
    run.on("ready", () => {
      const next = this.#afterReady;
      this.#afterReady = null;
      next?.();
    });
    run.on("device", ({ gpu, message }) => {
      if (gpu) return;
      // The run goes on in its worker, which has one thread only, until it has moved.
      this.tellGpuProblem(
        `The GPU is not used: ${message ?? "the browser could not open it"}; the run continues on the CPU`,
      );
      void this.moveRun("cpu");
    });
    run.on("failed", ({ kind }) => {
      this.#afterReady = null; // a file may be opened in another worker now
      if (kind === "device") this.device = "cpu";
    });
  }

  /** Moves the open run to this device. What does so is loaded when it is wanted; of several moves, the last counts. */
  async moveRun(device: Device): Promise<void> {
    const move = ++this.#moves;
    const module = await import("./move-run").catch(() => null);
    // Imports need not resolve in the order in which they were made.
    if (move !== this.#moves) return;
    if (module) await module.moveRun(this.page, device);
    else this.tellGpuProblem("The run stays on its device, because a part of the page could not be loaded");
  }

  /** Lets runs compute on this device from now on, if this browser has it. */
  chooseDevice(device: Device): void {
    const missing = device === "gpu" ? whyNoGpu() : undefined;
    if (missing) this.tellGpuProblem(missing);
    this.device = missing ? "cpu" : device;
  }

  /** Says why a run does not compute on the device that was chosen. */
  tellGpuProblem(text: string): void {
    this.page.notices.show("gpu", sentenceEnd(text), [], { tone: "wrong" });
  }

  /** What runs of this lab compute on. */
  #deviceFor(lab: LabInfo): Device {
    return lab.usesGpu ? this.device : "cpu";
  }

  /** Whether the open worker can open a run with these settings, on the chosen device. */
  isReadyFor(lab: LabInfo, settings: Settings): boolean {
    const { run } = this.page;
    return run.isReadyFor(lab, settings) && run.device === this.#deviceFor(lab);
  }

  /**
   * Calls `next` when there is a worker for runs of this lab with these settings. A worker with another bundle is saved
   * and replaced.
   */
  async withWorkerFor(lab: LabInfo, settings: Settings, next: () => void): Promise<void> {
    this.dropIncoming();
    if (this.isReadyFor(lab, settings)) next();
    else await this.replaceWorker(lab, settings, next);
  }

  /** A worker that gets ready beside the open run. */
  newIncoming(lab: LabInfo, settings: Settings): Incoming {
    this.dropIncoming();
    const bundle = this.#deviceFor(lab) === "gpu" ? GPU_BUNDLE : this.page.run.cpuBundle;
    const showLoading = (fraction: number, text?: string) => this.#loading.show(fraction, text);
    return (this.incoming = new Incoming(bundle, lab, settings, showLoading));
  }

  dropIncoming(): void {
    this.incoming?.close();
    this.incoming = null;
  }

  /**
   * Replaces the worker by one for runs of this lab with these settings, and calls `next` when that is ready. The open
   * run goes on until every file of the bundle has arrived, and is saved then.
   */
  async replaceWorker(lab: LabInfo, settings: Settings, next: () => void): Promise<void> {
    const { page } = this;
    page.labScreen?.cover(null); // takes the card of a failure away
    if (page.labScreen?.lab !== lab) {
      page.show(this.#loading);
      const { moment } = page.runs;
      if (moment?.request.lab === lab) this.#loading.playRecording(() => Promise.resolve(moment.card()), 0);
      else this.#loading.playRecording(() => loadRecording(lab.about.id, settings));
    } else if (!page.run.isReadyFor(lab, settings)) {
      // The picture of the open run stays, so a notice says why nothing happens yet.
      page.notices.show(LOADING_NOTICE, "What the new run needs is being loaded …", [], { lab: lab.about.id });
    }
    const incoming = this.newIncoming(lab, settings);
    try {
      await Promise.all([incoming.fetched, loadViewModule(lab.about.id)]);
      await page.autosave.finish();
      incoming.throwIfClosed();
    } catch (error) {
      if (this.incoming !== incoming) return;
      this.dropIncoming();
      if (error instanceof IncomingFailure) await page.trouble.showFailure(error.failure, lab);
      else await page.trouble.showMissingPart(location.hash, error as Error);
    }
    if (this.incoming !== incoming) return; // something else was asked for meanwhile
    page.notices.hide(LOADING_NOTICE);
    this.incoming = null;
    this.#afterReady = next;
    page.run.adopt(incoming);
  }
}
