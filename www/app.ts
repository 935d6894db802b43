// The page as a whole: which screen is shown (a lab or the gallery), which run is open, where runs come from (a link,
// an earlier visit, a file, a fresh start) and where they are saved (in the browser, as a download).

import { Autosave } from "./core/autosave";
import type { BundleChoice } from "./core/bundle";
import { download, fileName, readHeader } from "./core/checkpoint";
import { pickFile, write } from "./core/dom";
import { formatAge, formatCount, formatInteger } from "./core/format";
import { DEFAULT_SEED, readLink, sameRun, writeLink, type RunRequest } from "./core/link";
import { isSolved, Run, type AnyView, type WorkerFailure } from "./core/run";
import { saveRun, loadRun, type SavedRun, type SaveSlot } from "./core/store";
import { LABS } from "./generated/labs";
import type { LabInfo } from "./generated/protocol";
import type { ViewModule } from "./labs/lab-view";
import { loadViewModule } from "./labs/views";
import { LoadingCard, failureCard } from "./ui/cards";
import { listenFileDrops } from "./ui/drop";
import type { Gallery } from "./ui/gallery";
import { LabScreen } from "./ui/lab-screen";
import type { Notices } from "./ui/notices";

// What is done with the bytes of a save. A save request carries one of these as its `purpose`, and so does its answer.
/** The whole run is downloaded. */
const DOWNLOAD = "download";
/** Only the network is downloaded. */
const DOWNLOAD_NETWORK = "network";
/** The run goes into the browser's slot `previous`, because another run is about to replace it. */
const KEEP_PREVIOUS = "previous";
/** A run that is replaced by another is kept only if it has at least this many units (training iterations). */
const MIN_UNITS_TO_KEEP = 3;
/** How many seconds some notices stay; others stay until they are dismissed. */
const SECONDS = { short: 12, medium: 20, long: 30 };

/** A run that is opened later than this after a file was chosen is not the file's run. */
const MAX_OPENING_MS = 10_000;
/** Time between two announcements of the run's state to screen readers. */
const ANNOUNCE_EVERY_MS = 6_000;

export class App {
  /** The open run. One object stands for all runs, one after the other. */
  readonly run: Run;
  /** What is shown. */
  screen: LabScreen | Gallery | LoadingCard | null = null;
  /** The module that draws the lab's picture. */
  module: ViewModule<AnyView> | null = null;
  #autosave: Autosave;
  /** What to do once the new worker is ready. */
  #afterReady: (() => void) | null = null;
  #loading = new LoadingCard();
  /** Units of the run at the last announcement to screen readers. */
  #announcedUnits = 0;
  /** The run that was asked for last, by a link or by the visitor; null for the gallery or a saved run. */
  #lastRequest: RunRequest | null = null;
  /** Counts navigations. A navigation that is still loading is dropped when the next begins. */
  #navigations = 0;

  constructor(
    readonly main: HTMLElement,
    readonly notices: Notices,
    choice: BundleChoice,
  ) {
    this.run = new Run(choice);
    this.#autosave = new Autosave(this.run, (text) => this.#labScreen?.statusLine.showSaved(text));
    this.#listen();
    this.run.on("loading", (share) => this.#loading.show(share));
    void this.route();
  }

  /** The lab screen, if it is shown. */
  get #labScreen(): LabScreen | null {
    return this.screen instanceof LabScreen ? this.screen : null;
  }

  #listen(): void {
    const { run, notices } = this;
    run.on("ready", () => {
      const next = this.#afterReady;
      this.#afterReady = null;
      next?.();
    });
    run.on("opened", () => this.#showLink());
    run.on("solved", () => run.lab && this.#updateTitle(run.lab));
    run.on("configured", () => this.#showLink());
    run.on("refused", ({ request, message }) => {
      notices.show("refused", sentence(message), [], { tone: "wrong", seconds: SECONDS.medium });
      if (request === "configure" || request === "start") this.#labScreen?.draft.resetToRun();
      // If a saved run or a link cannot be opened, the page still shows a run.
      if (!run.lab && request === "resume") void this.#startFresh(this.#lastRequest);
      if (!run.lab && request === "start" && this.#lastRequest)
        void this.#startFresh(defaultRequest(this.#lastRequest.lab));
    });
    run.on("saved", ({ purpose, units, bytes }) => {
      const id = run.lab?.about.id ?? "run";
      if (purpose === DOWNLOAD) download(fileName(id, run.seed, units), bytes);
      if (purpose === KEEP_PREVIOUS) void this.#keepPrevious(bytes, units);
      if (purpose === DOWNLOAD_NETWORK) download(fileName(id, run.seed, units, { networkOnly: true }), bytes);
    });
    run.on("failed", (failure) => void this.#showFailure(failure));
    // A run that is opened meanwhile replaces the address, so the address in the event is used.
    addEventListener("hashchange", ({ newURL }) => void this.route(new URL(newURL).hash));
    listenFileDrops((file) => void this.openFile(file));
  }

  /** Shows what the address asks for: the gallery, the open run, or another run. */
  async route(hash = location.hash): Promise<void> {
    const navigation = ++this.#navigations;
    const { request, gallery, problems } = await readLink(hash, LABS);
    if (navigation !== this.#navigations) return;
    if (problems.length > 0) {
      this.notices.show("link", sentence(problems.join(". ")), [], { tone: "wrong" });
    }
    this.#lastRequest = request;
    if (gallery || !request) {
      // The gallery is loaded on demand, because a first visit goes straight to a lab.
      const [{ Gallery }, ...labs] = await Promise.all([import("./ui/gallery"), ...LABS.map(({ load }) => load())]);
      if (navigation !== this.#navigations) return;
      this.#show(new Gallery(labs, this.run));
      document.title = "Learnery";
      return;
    }
    const { run } = this;
    const labIsOpen = run.open && run.lab?.about.id === request.lab.about.id;
    // A link that names a unit asks for the run from its start up to that unit, so the open run does not do.
    const same =
      labIsOpen &&
      sameRun(request.lab, run.settings, run.seed, request.settings, request.seed) &&
      request.units === null;
    if (labIsOpen && (same || !request.explicit)) {
      await this.#showLab(request.lab);
      this.#showLink();
      return;
    }
    this.#withWorkerFor(request.lab, () => void this.#open(request));
  }

  /** Calls `next` when there is a worker for this lab. A worker with another lab's bundle is saved and replaced. */
  #withWorkerFor(lab: LabInfo, next: () => void): void {
    if (this.run.isReadyFor(lab)) next();
    else void this.#autosave.finish().then(() => this.#replaceWorker(lab, next));
  }

  /** Continues the lab's saved run, or starts a new one if the link asks for another run. */
  async #open(request: RunRequest): Promise<void> {
    const id = request.lab.about.id;
    const saved = (await this.#autosave.ownsLab(id)) ? await loadRun(id, "latest") : null;
    if (request !== this.#lastRequest) return; // Another run was asked for meanwhile.
    const header = saved && readHeader(saved.bytes);
    if (!saved || !header) {
      await this.#startFresh(request);
      return;
    }
    const same =
      sameRun(request.lab, header.config, header.seed, request.settings, request.seed) && request.units === null;
    if (!request.explicit || same) {
      await this.#resume(request.lab, saved, request);
      return;
    }
    await saveRun(id, "previous", saved.bytes, saved.note).catch(() => {});
    await this.#startFresh(request);
    this.notices.show(
      "earlier",
      `This link started a new run. Your earlier one (seed ${header.seed}, ${formatCount(header.units, request.lab.about.unit)}) is saved.`,
      [{ label: "Continue it instead", run: () => void this.#restore(request.lab, "previous") }],
    );
  }

  /** Continues a saved run, and offers for a while to start anew: with the settings of `request`, or the defaults. */
  async #resume(lab: LabInfo, saved: SavedRun, request: RunRequest | null): Promise<void> {
    this.#lastRequest = request;
    const units = readHeader(saved.bytes)?.units ?? 0;
    const unsubscribe = this.run.on("opened", () => {
      unsubscribe();
      this.run.play();
      this.notices.show(
        "resumed",
        `Continued from ${lab.about.unit} ${units}, saved ${formatAge(saved.savedAt)}.`,
        [
          {
            label: "Start fresh",
            run: () => void this.#startFresh({ ...(request ?? defaultRequest(lab)), units: null }),
          },
        ],
        { seconds: SECONDS.long },
      );
    });
    this.run.resume(saved.bytes as Uint8Array<ArrayBuffer>, saved.note);
    await this.#showLab(lab);
  }

  /** Continues the run in a slot of the store. */
  async #restore(lab: LabInfo, slot: SaveSlot): Promise<void> {
    const saved = await loadRun(lab.about.id, slot);
    if (saved) this.#withWorkerFor(lab, () => void this.#resume(lab, saved, null));
  }

  /** Starts a new run. The open one is kept as the previous run. */
  async #startFresh(request: RunRequest | null): Promise<void> {
    if (!request) return;
    this.notices.hide("resumed");
    if (this.run.open && this.run.progress.units >= MIN_UNITS_TO_KEEP) this.run.save(KEEP_PREVIOUS);
    const unsubscribe = this.run.on("opened", () => {
      unsubscribe();
      if (request.units === null) this.run.play();
      else this.#replay(request.units);
    });
    this.run.start(request.lab, request.settings, request.seed);
    await this.#showLab(request.lab);
  }

  /** Saves the run that is being replaced, and offers for a while to go back to it. */
  async #keepPrevious(bytes: Uint8Array, units: number): Promise<void> {
    // The worker answers in order: this save comes before the new run is opened, so `this.run` is still the old run.
    const { lab } = this.run;
    const note = this.run.currentNote();
    if (!lab || !(await this.#autosave.ownsLab(lab.about.id))) return;
    try {
      await saveRun(lab.about.id, "previous", bytes, note);
    } catch {
      return; // This browser saves nothing, as the status line says.
    }
    const goBack = { label: "Go back", run: () => void this.#restore(lab, "previous") };
    const text = `A new run has started. The previous one, at ${lab.about.unit} ${units}, is saved.`;
    this.notices.show("earlier", text, [goBack], { seconds: SECONDS.short });
  }

  /** Runs one unit after the other up to the one that a link names, and pauses there. */
  #replay(lastUnit: number): void {
    const { run } = this;
    /** The units of the run when the last request was sent; -1 before the first. Each unit is requested only once. */
    let requestedAt = -1;
    const next = () => {
      const { units, running } = run.progress;
      // If the visitor has pressed Run meanwhile, the replay ends and the run goes on.
      if (running || units >= lastUnit) {
        unsubscribe();
        this.#autosave.save();
      } else if (units > requestedAt) {
        requestedAt = units;
        run.finishUnit();
      }
    };
    const unsubscribe = run.on("progress", next);
    next();
  }

  /** Marks the tab's title when the goal is reached, for a visitor who is looking at another tab. */
  #updateTitle(lab: LabInfo): void {
    document.title = `${isSolved(this.run.progress) ? "✓ " : ""}${lab.about.title} · Learnery`;
  }

  async #showLab(lab: LabInfo): Promise<void> {
    this.#updateTitle(lab);
    if (this.#labScreen?.lab.about.id === lab.about.id) return;
    this.module = await loadViewModule(lab.about.id);
    const screen = new LabScreen(lab, this.run, this.module, {
      restart: () => this.restart(),
      save: (options) => this.save(options),
      open: () => pickFile(".safetensors", (file) => void this.openFile(file)),
      openFile: (file) => void this.openFile(file),
    });
    this.#show(screen);
    if (!this.run.lab) return;
    screen.view?.opened();
    this.#showLink();
  }

  #show(screen: LabScreen | Gallery | LoadingCard): void {
    if (this.screen === screen) return;
    this.screen?.destroy();
    this.screen = screen;
    this.main.replaceChildren(screen.element);
    (screen instanceof LabScreen ? screen.dock : document.body).append(this.notices.box);
    scrollTo(0, 0);
  }

  /** Starts a new run with the settings and the seed of the settings panel. */
  restart(): void {
    const draft = this.#labScreen?.draft;
    if (!draft) return;
    const lab = draft.lab;
    const request = { lab, seed: draft.seed, settings: { ...draft.settings }, units: null, explicit: true };
    this.#withWorkerFor(lab, () => void this.#startFresh(request));
  }

  /** Downloads the run as a checkpoint, or only its network. */
  save({ networkOnly }: { networkOnly: boolean }): void {
    this.run.save(networkOnly ? DOWNLOAD_NETWORK : DOWNLOAD, { networkOnly });
  }

  /** Continues the run of a checkpoint file. */
  async openFile(file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const header = readHeader(bytes);
    const listed = LABS.find(({ id }) => id === header?.lab);
    // A file of no known lab goes to the worker of any lab, which refuses it with the reason in words.
    const lab = listed ? await listed.load() : (this.#labScreen?.lab ?? (await LABS[0]?.load()));
    if (!lab) return;
    const unsubscribe = this.run.on("opened", () => {
      unsubscribe();
      this.notices.show("opened", `Opened ${file.name} at ${lab.about.unit} ${this.run.progress.units}.`, [], {
        seconds: SECONDS.short,
      });
    });
    // If the file is refused, the notice must not appear for another run that is opened later.
    setTimeout(unsubscribe, MAX_OPENING_MS);
    this.#withWorkerFor(lab, () => {
      if (this.run.open && this.run.lab === lab && this.run.progress.units >= MIN_UNITS_TO_KEEP)
        this.run.save(KEEP_PREVIOUS);
      this.run.resume(bytes, null);
      if (header) void this.#showLab(lab);
    });
  }

  /** Puts the run's link into the address bar, without a new entry in the history. */
  #showLink(): void {
    const { lab, settings, seed } = this.run;
    if (!lab || !this.#labScreen) return;
    history.replaceState(null, "", writeLink(lab, settings, seed));
    this.#labScreen.share.draw();
  }

  /** Replaces the worker, and calls `next` when the new one is ready. */
  #replaceWorker(lab: LabInfo, next: () => void): void {
    this.#labScreen?.cover(null); // takes the card of a failure away
    if (this.#labScreen?.lab !== lab) this.#show(this.#loading);
    this.#afterReady = next;
    this.run.connect(lab);
  }

  /** Shows what went wrong with the worker, with buttons to go on. */
  async #showFailure(failure: WorkerFailure): Promise<void> {
    const lab = this.run.loaded;
    const saved = lab ? await loadRun(lab.about.id, "latest") : null;
    const header = saved && readHeader(saved.bytes);
    const withNewWorker = (next: () => void) => () => lab && this.#replaceWorker(lab, next);
    const actions = [];
    if (lab && saved && header && header.units > 0) {
      actions.push({
        label: `Go back to ${lab.about.unit} ${header.units}, saved ${formatAge(saved.savedAt)}`,
        run: withNewWorker(() => void this.#resume(lab, saved, null)),
      });
    }
    if (lab && this.run.lab) {
      const request: RunRequest = {
        lab,
        settings: { ...this.run.settings },
        seed: this.run.seed,
        units: null,
        explicit: true,
      };
      actions.push({ label: "Start over", run: withNewWorker(() => void this.#startFresh(request)) });
    } else actions.push({ label: "Try again", run: withNewWorker(() => void this.route()) });
    const card = failureCard(failure, actions);
    if (this.#labScreen) this.#labScreen.cover(card);
    else {
      this.screen = null;
      this.main.replaceChildren(card);
    }
  }

  /** Writes the state of the run into a live region every few seconds, for screen readers. */
  announceInto(line: HTMLElement): void {
    setInterval(() => {
      const { run } = this;
      if (!run.lab || !this.#labScreen || document.hidden) return;
      if (!run.progress.running && this.#announcedUnits === run.progress.units) return;
      this.#announcedUnits = run.progress.units;
      const { about } = run.lab;
      const name = run.goal?.metric ?? about.charts[0] ?? "";
      const value = run.series.last(name);
      const goal = run.goal ? `, goal ${formatInteger(run.goal.target)}` : "";
      const metric = Number.isFinite(value)
        ? ` ${run.series.spec(name)?.label ?? name} ${formatInteger(value)}${goal}.`
        : "";
      const state = run.progress.running ? "" : " Paused.";
      write(line, `${about.unit} ${run.progress.units}.${metric}${state} ${this.#labScreen.view?.describe() ?? ""}`);
    }, ANNOUNCE_EVERY_MS);
  }
}

/** A request for no particular run of a lab: its saved run, or one with the default settings. */
function defaultRequest(lab: LabInfo): RunRequest {
  return { lab, seed: DEFAULT_SEED, settings: {}, units: null, explicit: false };
}

/** The text with a capital letter and a full stop. */
function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
