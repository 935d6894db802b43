// Keeps the run: every few seconds while it learns, when it is paused, and when the page goes out of
// sight. Only one tab at a time keeps a lab, and a run whose losses are no numbers is not kept over a good
// one.

import type { Run } from "./run";
import { claim, keep } from "./store";

const EVERY_MS = 4_000;
/** How long leaving a run for another lab may wait for the end of a unit. */
const PATIENCE_MS = 3_000;
/** The purpose in `save` by which its answer is known. */
export const AUTOSAVE = "autosave";

export class Autosave {
  #mine: Promise<boolean> | null = null;
  #lab = "";
  #keptUnits = -1;
  #asked = false;
  #keeping: Promise<void> | null = null;
  #wasRunning = false;

  constructor(
    readonly run: Run,
    readonly tell: (text: string) => void,
  ) {
    run.on("opened", ({ lab }) => {
      this.#keptUnits = -1;
      this.#asked = false;
      if (lab !== this.#lab) this.#mine = claim(lab);
      this.#lab = lab;
    });
    run.on("saved", (saved) => {
      if (saved.purpose === AUTOSAVE) this.#keeping = this.#keep(saved.bytes, saved.units);
    });
    run.on("progress", ({ running }) => {
      if (this.#wasRunning && !running) this.now();
      this.#wasRunning = running;
    });
    run.on("trouble", () => (this.#asked = false));
    setInterval(() => this.run.progress.running && this.now(), EVERY_MS);
    document.addEventListener("visibilitychange", () => document.hidden && this.now());
    addEventListener("pagehide", () => this.now());
  }

  /** True in the tab that keeps this lab. */
  async mine(lab: string): Promise<boolean> {
    if (lab !== this.#lab) {
      this.#lab = lab;
      this.#mine = claim(lab);
    }
    return (await this.#mine) ?? false;
  }

  /** Keeps what there is to keep before this worker is closed, or lets it be where that takes too long. */
  async last(): Promise<void> {
    this.now();
    for (const end = performance.now() + PATIENCE_MS; this.#asked && performance.now() < end;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.#keeping;
  }

  now(): void {
    const { run } = this;
    const { units, running } = run.progress;
    if (!run.open || run.diverged || units === 0 || units === this.#keptUnits) return;
    // Flat out a pause may finish the unit unseen; at a pace one follows nothing may jump.
    const wait = running || run.pace !== null;
    if (this.#asked && wait) return;
    this.#asked = true;
    run.save(AUTOSAVE, { wait });
  }

  async #keep(bytes: Uint8Array, units: number): Promise<void> {
    const lab = this.#lab;
    const note = this.run.noted();
    this.#asked = false;
    this.#keptUnits = units;
    if (!(await this.#mine)) {
      this.tell("another tab keeps this lab");
      return;
    }
    try {
      await keep(lab, "latest", bytes, note);
      this.tell(`kept at ${this.run.lab?.about.unit ?? "unit"} ${units}`);
    } catch {
      this.tell("this browser keeps nothing");
    }
  }
}
