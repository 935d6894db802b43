// The library of runs: every run of this lab that the browser keeps, with what can be done with it, and the import of
// files. The runs themselves are in core/library.ts.

import { button, el, listen, pickFiles, watchVisible, write } from "../core/dom";
import { curveOfCheckpoint } from "../core/checkpoint-metadata";
import { libraryOf, type Library } from "../core/library";
import { BUDGET_RULE, totalText, type KeptRun } from "../core/library-budget";
import { changedSettings } from "../core/link";
import { MAX_CONTENDERS, type Contenders } from "../core/contenders";
import { MAX_OVERLAYS, type Overlays } from "../core/overlays";
import type { Run } from "../core/run";
import type { Curve } from "../core/run-metadata";
import { nameOf } from "../core/run-names";
import type { LabInfo } from "../generated/protocol";
import type { Report } from "./drop";
import type { Headline } from "./headline";
import { RunRow, type RunRowActions } from "./library-row";
import "../style/library.css";

/** What the page does with kept runs. */
export interface LibraryActions {
  /** The id of the open run; null if there is none. */
  readonly openRun: string | null;
  /** True if this tab saves the runs of the lab, and not another one. */
  savesLab: (lab: LabInfo) => Promise<boolean>;
  /** True if the visitor has deleted the run and may still take that back. */
  isDeleting: (id: string) => boolean;
  open: (lab: LabInfo, run: KeptRun) => Promise<void>;
  delete: (lab: LabInfo, run: KeptRun) => void;
  export: (lab: LabInfo, run: KeptRun) => Promise<void>;
  import: (lab: LabInfo, files: File[], report: Report) => Promise<void>;
  /** Computes the fingerprint of a run, or throws. */
  fingerprint: (lab: LabInfo, run: KeptRun) => Promise<string>;
}

/** The lab screen that the library belongs to. */
export interface LibraryScreen {
  lab: LabInfo;
  run: Run;
  headline: () => Headline;
  contenders: Contenders;
  overlays: Overlays;
  tools: { show: (tool: string) => Promise<void> };
}

export class RunLibrary {
  readonly element: HTMLElement;
  readonly lab: LabInfo;
  readonly #store: Library;
  #title = el("h2", { id: "kept-runs-title", text: "Runs kept in this browser", tabindex: -1 });
  #total = el("p", { class: "kept-runs-total num", role: "status" });
  #problem = el("p", { class: "kept-runs-note", hidden: true });
  #message = el("p", { class: "file-message", role: "status", hidden: true });
  #empty = el("p", { class: "kept-runs-empty" });
  #list = el("ul", { class: "run-list", "aria-labelledby": "kept-runs-title" });
  #rows = new Map<string, RunRow>();
  #unsubscribe: (() => void)[];
  /** True while the runs are being read. */
  #reading = false;
  /** True if the runs have changed since they were last read. */
  #stale = false;
  /** False while the list is out of sight, where it is not kept up to date. */
  #visible = true;

  constructor(
    readonly screen: LibraryScreen,
    readonly actions: LibraryActions,
  ) {
    this.lab = screen.lab;
    this.#store = libraryOf(this.lab);
    const { unit } = this.lab.about;
    const importFiles = button("Import…", () => pickFiles(".safetensors", (files) => void this.#import(files)), {
      title: "Adds checkpoint files to this list. You can also drop them on it.",
    });
    write(
      this.#empty,
      `No run is kept yet. A run is saved by itself while it learns, from its first ${unit} on. It stays here when you ` +
        "start another one, and you can open it again, compare it, or draw its curve over the present one.",
    );
    this.element = el(
      "section",
      { class: "kept-runs", "aria-labelledby": "kept-runs-title" },
      el("div", { class: "section-head" }, this.#title, importFiles, this.#total),
      this.#problem,
      this.#message,
      this.#empty,
      this.#list,
      el("p", { class: "quiet small kept-runs-rule", text: BUDGET_RULE }),
    );
    listen(this.element, {
      dragover: (event) => this.element.classList.toggle("drop-here", event.dataTransfer?.types.includes("Files")),
      dragleave: (event) =>
        this.element.contains(event.relatedTarget as Node | null) || this.element.classList.remove("drop-here"),
      drop: (event) => this.#drop(event),
    });
    this.#unsubscribe = [
      this.#store.on("changed", () => void this.#read()),
      screen.run.on("opened", () => void this.#read()),
      watchVisible(this.element, (visible) => {
        this.#visible = visible;
        if (this.#stale) void this.#read();
      }),
      screen.overlays.on("changed", () => this.#drawRows()),
    ];
    void this.#read();
  }

  destroy(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** Reads what is kept, and shows it, once the list is in sight. */
  async #read(): Promise<void> {
    this.#stale = true;
    if (this.#reading || !this.#visible) return;
    this.#reading = true;
    while (this.#stale) {
      this.#stale = false;
      const [runs, saves] = await Promise.all([this.#store.list(), this.actions.savesLab(this.lab)]);
      this.#show(runs, saves);
    }
    this.#reading = false;
  }

  #show(kept: KeptRun[], saves: boolean): void {
    const runs = kept.filter(({ id }) => !this.actions.isDeleting(id));
    this.#problem.hidden = saves;
    write(
      this.#problem,
      saves
        ? ""
        : "Another tab saves the runs of this lab. You can open them here too, but what they learn in this tab is not saved.",
    );
    this.#empty.hidden = runs.length > 0;
    write(this.#total, runs.length > 0 ? totalText(runs) : "");
    const nameOfRun = (id: string) => {
      const metadata = kept.find((run) => run.id === id)?.metadata;
      return metadata ? nameOf(this.lab, metadata) : null;
    };
    for (const [id, row] of this.#rows) if (!runs.some((run) => run.id === id)) this.#removeRow(id, row);
    for (const run of runs) {
      const row = this.#rows.get(run.id) ?? new RunRow(this.lab, this.#rowActions());
      this.#rows.set(run.id, row);
      row.show(run, { canChange: saves, nameOfRun });
    }
    const order = runs.map(({ id }) => this.#rows.get(id)?.element as HTMLElement);
    // Moving an element takes the focus off it, so nothing is moved without need.
    if (order.some((element, i) => this.#list.children[i] !== element)) keepingFocus(() => this.#list.append(...order));
    this.#drawRows();
  }

  /** Removes the row of a run that is no longer kept. The focus moves to its neighbour. */
  #removeRow(id: string, { element }: RunRow): void {
    const hadFocus = element.contains(document.activeElement);
    const neighbour = element.nextElementSibling ?? element.previousElementSibling;
    element.remove();
    this.#rows.delete(id);
    this.screen.overlays.remove(id);
    if (hadFocus) (neighbour?.querySelector<HTMLElement>("button:not([hidden])") ?? this.#title).focus();
  }

  /** Draws what depends on the open run and on the chart. */
  #drawRows(): void {
    for (const [id, row] of this.#rows)
      row.showState({ open: id === this.actions.openRun, overlaid: this.screen.overlays.has(id) });
  }

  #rowActions(): RunRowActions {
    const { lab, actions } = this;
    return {
      open: (run) => void actions.open(lab, run),
      overlay: (run) => void this.#overlay(run),
      compare: (run) => this.#compare(run),
      pin: ({ id, metadata }) => void this.#saveChange(this.#store.update(id, { pinned: !metadata.pinned })),
      rename: ({ id }, name) => void this.#saveChange(this.#store.update(id, { name })),
      export: (run) => void actions.export(lab, run),
      delete: (run) => actions.delete(lab, run),
      fingerprint: (run) => actions.fingerprint(lab, run),
    };
  }

  /** Waits for a change to be saved, and tells the visitor if that fails. */
  async #saveChange(change: Promise<void>): Promise<void> {
    await change.catch(() => this.#report("This could not be saved: the browser's storage is full.", true));
  }

  async #overlay({ id, metadata }: KeptRun): Promise<void> {
    const { overlays, run } = this.screen;
    if (overlays.has(id)) return overlays.remove(id);
    const { metric } = this.screen.headline();
    const curve = await this.#curveOf(id, metadata.curve, metric);
    if (overlays.has(id)) return; // pressed twice
    const label = (name: string | undefined) => run.series.spec(name ?? "")?.label ?? "another metric";
    if (curve.units.length === 0) return this.#report("This run has no curve yet.", true);
    if (curve.metric !== metric)
      return this.#report(`Its curve shows ${label(curve.metric)}, and the chart ${label(metric)}.`, true);
    if (!overlays.add(id, nameOf(this.lab, metadata), curve))
      return this.#report(`At most ${MAX_OVERLAYS} curves can be drawn over the chart. Take one off first.`, true);
    this.#report("Its curve is drawn over the large chart, beside the picture.");
  }

  /** The run's curve of a metric, or the one that is `atHand` if it has none: that of its goal's metric. */
  async #curveOf(id: string, atHand: Curve, metric: string): Promise<Curve> {
    if (atHand.metric === metric) return atHand;
    const saved = await this.#store.load(id);
    const stored = saved && (await curveOfCheckpoint(saved.bytes, metric));
    return stored && stored.units.length > 0 ? stored : atHand;
  }

  #compare({ id, metadata }: KeptRun): void {
    const { contenders, tools } = this.screen;
    const load = async () => {
      const saved = await this.#store.load(id);
      if (!saved) throw new Error("This run is no longer saved in this browser.");
      return saved.bytes;
    };
    const settings = changedSettings(this.lab, metadata.settings);
    if (!contenders.add({ title: nameOf(this.lab, metadata), settings, seed: metadata.seed, load }))
      return this.#report(`At most ${MAX_CONTENDERS} runs can be compared at a time.`, true);
    void tools.show("compare");
  }

  #drop(event: DragEvent): void {
    this.element.classList.remove("drop-here");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault(); // the page would open the file
    void this.#import(files);
  }

  async #import(files: File[]): Promise<void> {
    if (files.length > 0) await this.actions.import(this.lab, files, this.#report);
  }

  #report: Report = (text, wrong = false) => {
    write(this.#message, text);
    this.#message.hidden = text === "";
    this.#message.classList.toggle("wrong", wrong);
  };
}

/** Calls `change`, after which what had the focus has it still. */
function keepingFocus(change: () => void): void {
  const focused = document.activeElement;
  change();
  if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true });
}
