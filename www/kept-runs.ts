// The runs that the browser keeps, as far as every visit needs them: keeps the open run before another replaces it, leads
// back to it, and tells what was removed to make room. What the visitor does with kept runs is in kept-run-actions.ts.

import type { App } from "./app";
import { formatCount } from "./core/format";
import { libraryOf, MIN_UNITS_TO_KEEP, type Library } from "./core/library";
import type { KeptRun } from "./core/library-budget";
import type { LabInfo } from "./generated/protocol";
import { NOTICE_SECONDS } from "./ui/notices";

/** The purpose of the save requests for a run that is about to be replaced. */
export const KEEP = "keep";
/** Replacing a run waits at most this long until it has been saved. */
const MAX_SAVE_MS = 3_000;

export class KeptRuns {
  /** Runs that the visitor has deleted and may still take back. */
  readonly deleting = new Set<string>();
  /** The libraries whose removals are told. */
  #watched = new Set<Library>();
  /** What is told of the run that is being kept, once it is saved. */
  #whenKept: ((lab: LabInfo, id: string, units: number) => void) | null = null;

  /** True if the visitor has been told that nothing more can be saved. */
  #toldFull = false;

  constructor(readonly app: App) {
    const { run } = app;
    run.on("opened", () => run.lab && this.#watch(run.lab));
    run.on("saved", ({ purpose, bytes, units, fingerprint }) => {
      if (purpose === KEEP) void this.#keep(bytes, units);
      if (fingerprint) void this.#addFingerprint(units, fingerprint);
    });
    run.on("refused", ({ request }) => request === "save" && void this.#tellLastSave());
  }

  /** Shows what came of the last save, and says once that nothing more can be saved. */
  tellSaved(text: string, full: boolean): void {
    const { labScreen, notices } = this.app;
    labScreen?.statusLine.showSaved(text);
    const problem = "The browser's storage is full, so nothing more of this run can be saved; its last save stays.";
    if (full && !this.#toldFull) notices.show("full", problem, [], { tone: "wrong" });
    if (!full) notices.hide("full");
    this.#toldFull = full;
  }

  /** True if this tab saves the runs of the lab, and not another one. */
  savesLab(lab: LabInfo): Promise<boolean> {
    return this.app.autosave.ownsLab(lab.about.id);
  }

  /** The id of the open run; null if there is none. */
  get openRun(): string | null {
    const { run } = this.app;
    return run.open ? run.note.id : null;
  }

  /**
   * Keeps the open run, which another is about to replace in the same worker or in a new one. With `tell`, a notice leads
   * back to it. A run with fewer than `minUnits` is not kept. Returns whether there is a run to keep.
   */
  keepPresent({ tell = false, minUnits = MIN_UNITS_TO_KEEP } = {}): boolean {
    const { run } = this.app;
    const { lab } = run;
    if (!run.open || !lab) return false;
    if (run.progress.units < minUnits) {
      void this.#discardShort(lab, run.note.id);
      return false;
    }
    if (run.diverged) return false; // its last good save stays
    this.#whenKept = tell ? (...kept) => this.#tellKept(...kept) : null;
    run.save(KEEP);
    return true;
  }

  /** Like `keepPresent`, and waits until the worker has answered. */
  async presentKept(minUnits?: number): Promise<void> {
    const { run } = this.app;
    let unsubscribe = () => {};
    const saved = new Promise<void>((resolve) => {
      unsubscribe = run.on("saved", ({ purpose }) => purpose === KEEP && resolve());
      setTimeout(resolve, MAX_SAVE_MS);
    });
    if (this.keepPresent({ tell: true, ...(minUnits !== undefined && { minUnits }) })) await saved;
    unsubscribe();
  }

  /** Writes the run that is being replaced. The worker answers in order, so `run` is still that one. */
  async #keep(bytes: Uint8Array<ArrayBuffer>, units: number): Promise<void> {
    const { lab, goal } = this.app.run;
    const note = this.app.run.currentNote();
    const whenKept = this.#whenKept;
    this.#whenKept = null;
    if (!lab || !(await this.savesLab(lab))) return;
    try {
      await libraryOf(lab).save(bytes, note, goal);
    } catch {
      return; // This browser cannot save runs, which the status line says.
    }
    whenKept?.(lab, note.id, units);
  }

  /** The run that was replaced could not be saved in time, so the visitor can go back to its last save. */
  async #tellLastSave(): Promise<void> {
    const { lab, note } = this.app.run;
    const whenKept = this.#whenKept;
    this.#whenKept = null;
    const saved = lab && whenKept && (await libraryOf(lab).find(note.id));
    if (saved) whenKept(lab, note.id, saved.facts.units);
  }

  #tellKept(lab: LabInfo, id: string, units: number): void {
    const text = `A new run has started. The previous one, at ${lab.about.unit} ${units}, is saved.`;
    const back = { label: "Go back to it", run: () => void this.goBackTo(lab, id) };
    this.app.notices.show("earlier", text, [back], { seconds: NOTICE_SECONDS.short });
  }

  async #discardShort(lab: LabInfo, id: string): Promise<void> {
    if (await this.savesLab(lab)) await libraryOf(lab).discardIfShort(id);
  }

  async #addFingerprint(units: number, fingerprint: string): Promise<void> {
    const { lab, note } = this.app.run;
    if (!lab) return;
    const library = libraryOf(lab);
    if ((await library.find(note.id))?.facts.units === units) await library.update(note.id, { fingerprint });
  }

  /** Continues a kept run. */
  async goBackTo(lab: LabInfo, id: string): Promise<void> {
    const saved = await libraryOf(lab).load(id);
    if (!saved) return this.tellGone();
    await this.app.workers.withWorkerFor(lab, () => {
      this.keepPresent();
      void this.app.runs.resume(lab, saved, null);
    });
  }

  tellGone(): void {
    const text = "This run is no longer saved in this browser.";
    this.app.notices.show("gone", text, [], { tone: "wrong", seconds: NOTICE_SECONDS.short });
  }

  /** Keeps the open run from being removed to make room, and tells what was removed. */
  #watch(lab: LabInfo): void {
    const library = libraryOf(lab);
    library.inUse.clear();
    library.inUse.add(this.app.run.note.id);
    library.refresh();
    if (this.#watched.has(library)) return;
    this.#watched.add(library);
    library.on("removed", ({ runs, full }) => void this.#tellRemoved(lab, runs, full));
  }

  async #tellRemoved(lab: LabInfo, runs: KeptRun[], full: boolean): Promise<void> {
    const [first] = runs;
    const names = await import("./core/run-names").catch(() => null);
    if (!first || !names) return;
    const others = runs.length > 1 ? ` and ${formatCount(runs.length - 1, "other run")}` : "";
    const why = full ? "The browser's storage was full" : "The library was full";
    const text = `${why}, so ${names.nameOf(lab, first.facts)}${others}, the oldest not pinned, had to go.`;
    this.app.notices.show("removed", text, [], { seconds: NOTICE_SECONDS.long });
  }
}
