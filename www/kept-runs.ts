// The part of the library of runs that every visit loads: keeps the open run before another replaces it, leads back to
// it, and shows what was removed to make room. What the visitor does with kept runs is in kept-run-actions.ts.

import type { Autosave } from "./core/autosave";
import { readHeader } from "./core/checkpoint";
import { Emitter } from "./core/events";
import { formatCount } from "./core/format";
import { libraryOf, MIN_UNITS_TO_KEEP, type Library } from "./core/library";
import type { KeptRun } from "./core/library-budget";
import { Refusal, type ReplyOf } from "./core/requests";
import type { Run } from "./core/run";
import type { SavedRun } from "./core/store";
import type { Settings } from "./core/values";
import type { LabInfo } from "./generated/protocol";
import type { Notices } from "./ui/notices";

/** Replacing a run waits at most this long until it has been saved, which may take a unit of training. */
const MAX_SAVE_WAIT_MS = 10_000;
/** The notices that no longer apply once another run is open. */
const ABOUT_THE_RUN_BEFORE = ["resumed", "earlier"];

/** The parts of the page that `KeptRuns` uses. */
export interface KeptRunsContext {
  run: Run;
  autosave: Pick<Autosave, "ownsLab">;
  notices: Notices;
  readonly labScreen: { statusLine: { showSaved: (text: string) => void } } | null;
  workers: { withWorkerFor: (lab: LabInfo, settings: Settings, next: () => void) => Promise<void> };
  runs: { resume: (lab: LabInfo, saved: SavedRun, request: null) => Promise<void> };
}

/** `saved` tells of a run that is about to be replaced. */
export class KeptRuns extends Emitter<{ saved: ReplyOf<"saved"> }> {
  /** Runs that the visitor has deleted and may still take back. */
  readonly deleting = new Set<string>();
  /** The libraries whose removals are shown as notices. */
  #watched = new Set<Library>();
  /** The id of the run that was opened last. It stays when the run moves to another worker. */
  #lastOpened = "";
  /** Shows the notice about an earlier run once the run that replaces it is open. */
  #tellWhenOpened: (() => void) | null = null;

  /** True if the visitor has been told that nothing more can be saved. */
  #hasToldFull = false;

  constructor(readonly page: KeptRunsContext) {
    super();
    const { run } = page;
    run.on("opened", () => {
      if (run.lab) this.#watch(run.lab);
      this.#followOpened();
    });
    run.on("saved", ({ units, fingerprint }) => {
      if (fingerprint) void this.#addFingerprint(units, fingerprint).catch(() => {}); // the list shows none then
    });
    run.on("refused", ({ request }) => {
      if (request === "start" || request === "resume") this.#tellWhenOpened = null;
    });
  }

  /** Shows what came of the last save, and says once that nothing more can be saved. */
  tellSaved(text: string, full: boolean): void {
    const { labScreen, notices } = this.page;
    labScreen?.statusLine.showSaved(text);
    const problem = "The browser's storage is full, so nothing more of this run can be saved; its last save stays.";
    if (full && !this.#hasToldFull) notices.show("full", problem, [], { tone: "wrong" });
    if (!full) notices.hide("full");
    this.#hasToldFull = full;
  }

  /** True if this tab saves the runs of the lab, and no other tab does. */
  savesLab(lab: LabInfo): Promise<boolean> {
    return this.page.autosave.ownsLab(lab.about.id);
  }

  /** The id of the open run; null if there is none. */
  get openRunId(): string | null {
    const { run } = this.page;
    return run.open ? run.note.id : null;
  }

  /**
   * Keeps the open run, which another is about to replace in the same worker or in a new one. With `tell`, the
   * sentence that says what is open then, a notice leads back to it. A run with fewer than `minUnits` is not kept, and
   * its earlier saves are removed unless the visitor has named or pinned it. Returns a promise that resolves when the
   * worker has answered the request to save; null if nothing is saved.
   */
  keepOpenRun({ tell = "", minUnits = MIN_UNITS_TO_KEEP } = {}): Promise<void> | null {
    const { run } = this.page;
    const { lab } = run;
    if (!run.open || !lab) return null;
    if (run.progress.units < minUnits) {
      void this.#discardShort(lab, run.note.id).catch(() => {}); // it stays in the list
      return null;
    }
    if (run.diverged) return null; // its last good save stays
    return run.save().then(
      (saved) => {
        this.emit("saved", saved);
        void this.#keep(saved.bytes, saved.units, tell);
      },
      (error: unknown) => {
        if (error instanceof Refusal && tell) void this.#tellLastSave(tell).catch(() => {});
      },
    );
  }

  /** Like `keepOpenRun` with a notice. Waits until the worker has answered, at most MAX_SAVE_WAIT_MS. */
  async keepOpenRunAndWait(minUnits?: number): Promise<void> {
    const timeout = new Promise((resolve) => setTimeout(resolve, MAX_SAVE_WAIT_MS));
    const answered = this.keepOpenRun({ tell: "Another run is open.", ...(minUnits !== undefined && { minUnits }) });
    if (answered) await Promise.race([answered, timeout]);
  }

  /** Writes the run that is being replaced to the library. The worker answers in order, so `run` is still that one. */
  async #keep(bytes: Uint8Array<ArrayBuffer>, units: number, tell: string): Promise<void> {
    const { lab, goal } = this.page.run;
    const note = this.page.run.currentNote();
    if (!lab || !(await this.savesLab(lab))) return;
    try {
      await libraryOf(lab).save(bytes, note, goal);
    } catch {
      return; // The storage is full or missing, which the autosave shows.
    }
    if (tell) this.#tellKept(tell, lab, note.id, `The previous one, at ${lab.about.unit} ${units}, is saved.`);
  }

  /** The run that is being replaced could not be saved in time, so a notice leads back to its last save. */
  async #tellLastSave(opened: string): Promise<void> {
    const { lab, note } = this.page.run;
    const saved = lab && (await libraryOf(lab).find(note.id));
    if (!saved) return;
    const { units } = saved.metadata;
    this.#tellKept(opened, lab, note.id, `The last save of the previous one, at ${lab.about.unit} ${units}, is kept.`);
  }

  #tellKept(opened: string, lab: LabInfo, id: string, sentence: string): void {
    const back = { label: "Go back to it", run: () => void this.goBackTo(lab, id) };
    this.tellEarlier(id, id, () => {
      this.page.notices.show("earlier", `${opened} ${sentence}`, [back], { lab: lab.about.id });
    });
  }

  /**
   * Calls `show`, which shows the notice "earlier" about the run `id`, when another run has taken the place of
   * `replaced`, the run that was open when it was requested (null if none was). Nothing is shown if `id` is open then.
   */
  tellEarlier(id: string, replaced: string | null, show: () => void): void {
    const tell = () => {
      if (this.openRunId !== id) show();
    };
    if (this.openRunId !== null && this.openRunId !== replaced) tell();
    else this.#tellWhenOpened = tell;
  }

  /** Another run than before may be open: notices about the change before go, and what was said of the last save. */
  #followOpened(): void {
    const { run, notices, labScreen } = this.page;
    if (run.note.id === this.#lastOpened) return;
    this.#lastOpened = run.note.id;
    for (const notice of ABOUT_THE_RUN_BEFORE) notices.hide(notice);
    labScreen?.statusLine.showSaved("");
    const tell = this.#tellWhenOpened;
    this.#tellWhenOpened = null;
    tell?.();
  }

  async #discardShort(lab: LabInfo, id: string): Promise<void> {
    if (await this.savesLab(lab)) await libraryOf(lab).discardIfShort(id);
  }

  async #addFingerprint(units: number, fingerprint: string): Promise<void> {
    const { lab, note } = this.page.run;
    if (!lab) return;
    const library = libraryOf(lab);
    if ((await library.find(note.id))?.metadata.units === units) await library.update(note.id, { fingerprint });
  }

  /** Continues a kept run, unless it is open. */
  async goBackTo(lab: LabInfo, id: string): Promise<void> {
    if (id === this.openRunId) return;
    const saved = await libraryOf(lab).load(id);
    if (!saved) return this.tellGone();
    await this.page.workers.withWorkerFor(lab, readHeader(saved.bytes)?.config ?? {}, () => {
      void this.keepOpenRun();
      void this.page.runs.resume(lab, saved, null);
    });
  }

  tellGone(): void {
    const text = "This run is no longer saved in this browser.";
    this.page.notices.show("gone", text, [], { tone: "wrong" });
  }

  /** Keeps the open run from being removed to make room, and tells what was removed. */
  #watch(lab: LabInfo): void {
    const library = libraryOf(lab);
    library.inUse.clear();
    library.inUse.add(this.page.run.note.id);
    library.refresh();
    if (this.#watched.has(library)) return;
    this.#watched.add(library);
    library.on("removed", ({ runs, full }) => void this.#tellRemoved(lab, runs, full));
  }

  async #tellRemoved(lab: LabInfo, runs: KeptRun[], full: boolean): Promise<void> {
    const [first] = runs;
    const names = await import("./core/run-names").catch(() => null);
    if (!first || !names) return;
    const isOne = runs.length === 1;
    const others = isOne ? "" : ` and ${formatCount(runs.length - 1, "other")}`;
    const why = full ? "The browser's storage was full" : "The library was full";
    const which = isOne ? "the oldest run that is not pinned was" : "the oldest runs that are not pinned were";
    const text = `${why}, so ${which} removed: ${names.nameOf(lab, first.metadata)}${others}.`;
    this.page.notices.show("removed", text, [], { lab: lab.about.id });
  }
}
