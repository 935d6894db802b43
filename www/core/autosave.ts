// Saves the run every few seconds while it learns, when it is paused, and when the page is hidden. Only one tab at a
// time saves a lab. A run whose losses are not numbers never replaces a good one.

import type { Run } from "./run";
import { claimLab, saveRun } from "./store";

const EVERY_MS = 4_000;
/** How long leaving a lab may wait for the end of a unit. */
const PATIENCE_MS = 3_000;
/** Marks the answers to this file's save requests. */
export const AUTOSAVE = "autosave";

export class Autosave {
  #owned: Promise<boolean> | null = null;
  #lab = "";
  #savedUnits = -1;
  #saveRequested = false;
  #writing: Promise<void> | null = null;
  #wasRunning = false;

  constructor(
    readonly run: Run,
    readonly report: (text: string) => void,
  ) {
    run.on("opened", ({ lab }) => {
      this.#savedUnits = -1;
      this.#saveRequested = false;
      if (lab !== this.#lab) this.#owned = claimLab(lab);
      this.#lab = lab;
    });
    run.on("saved", (saved) => {
      if (saved.purpose === AUTOSAVE) this.#writing = this.#write(saved.bytes, saved.units);
    });
    run.on("progress", ({ running }) => {
      if (this.#wasRunning && !running) this.save();
      this.#wasRunning = running;
    });
    run.on("failed", () => (this.#saveRequested = false));
    setInterval(() => this.run.progress.running && this.save(), EVERY_MS);
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    addEventListener("pagehide", () => this.save());
  }

  /** True in the tab that saves this lab. */
  async ownsLab(lab: string): Promise<boolean> {
    if (lab !== this.#lab) {
      this.#lab = lab;
      this.#owned = claimLab(lab);
    }
    return (await this.#owned) ?? false;
  }

  /** Saves the run before its worker is closed, unless that takes too long. */
  async finish(): Promise<void> {
    this.save();
    for (const end = performance.now() + PATIENCE_MS; this.#saveRequested && performance.now() < end;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.#writing;
  }

  save(): void {
    const { run } = this;
    const { units, running } = run.progress;
    if (!run.open || run.diverged || units === 0 || units === this.#savedUnits) return;
    // At full speed a pause may first finish the unit. At a visible pace the picture must not jump.
    const wait = running || run.pace !== null;
    if (this.#saveRequested && wait) return;
    this.#saveRequested = true;
    run.save(AUTOSAVE, { wait });
  }

  async #write(bytes: Uint8Array, units: number): Promise<void> {
    const lab = this.#lab;
    const note = this.run.currentNote();
    this.#saveRequested = false;
    this.#savedUnits = units;
    if (!(await this.#owned)) {
      this.report("another tab saves this lab");
      return;
    }
    try {
      await saveRun(lab, "latest", bytes, note);
      this.report(`saved at ${this.run.lab?.about.unit ?? "unit"} ${units}`);
    } catch {
      this.report("this browser cannot save runs");
    }
  }
}
