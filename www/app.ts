// The page as a whole: which screen is shown (a lab or the front), which run is open, where runs come from (a link,
// an earlier visit, a file, a fresh start) and where they are saved (in the browser, as a download).

import { branchRun } from "./branch";
import { Autosave, AUTOSAVE } from "./core/autosave";
import { GPU_BUNDLE, whyNoGpu, type BundleChoice, type Device } from "./core/bundle";
import { download, fileName, readHeader, recipeName } from "./core/checkpoint";
import { pickFile } from "./core/dom";
import { formatAge, formatCount, sentenceEnd, sentenceStart } from "./core/format";
import { Incoming, IncomingFailure } from "./core/incoming";
import { defaultRequest, readLink, sameRun, writeLink, type RunRequest } from "./core/link";
import type { Moments } from "./core/moments";
import { startOf } from "./core/recipe";
import type { Replay } from "./core/replay";
import { isSolved, Run, type AnyView } from "./core/run";
import { libraryOf, MIN_UNITS_TO_KEEP, savedUnits } from "./core/library";
import type { SavedRun } from "./core/store";
import { LABS } from "./generated/labs";
import type { LabInfo } from "./generated/protocol";
import type { ViewModule } from "./labs/lab-view";
import { loadViewModule } from "./labs/views";
import { KEEP, KeptRuns } from "./kept-runs";
import { moveRun } from "./move-run";
import type { Front } from "./front/front";
import { openFile } from "./open-file";
import { Trouble } from "./trouble";
import { LoadingCard, type FailureCard } from "./ui/cards";
import { listenFileDrops } from "./ui/drop";
import { LabScreen } from "./ui/lab-screen";
import type { MissingCard } from "./ui/missing";
import type { Notices } from "./ui/notices";
import { LabSwitcher } from "./ui/switcher";

/** What can fill the page. */
type Screen = LabScreen | Front | LoadingCard | FailureCard | MissingCard;

// What is done with the bytes of a save. A save request carries one of these as its `purpose`, and so does its answer.
/** The whole run is downloaded. */
const DOWNLOAD = "download";
/** Only the network is downloaded. */
const DOWNLOAD_NETWORK = "network";
/** The recipe of the run is downloaded. */
const DOWNLOAD_RECIPE = "recipe";
/** How many seconds some notices stay; others stay until they are dismissed. */
export const SECONDS = { short: 12, medium: 20, long: 30 };

export class App {
  /** The open run. One object stands for all runs, one after the other. */
  readonly run: Run;
  /** What is shown. */
  screen: Screen | null = null;
  /** The module that draws the lab's picture. */
  module: ViewModule<AnyView> | null = null;
  readonly autosave: Autosave;
  /** The runs that the browser keeps. */
  readonly kept: KeptRuns;
  /** What to do once the new worker is ready. */
  #afterReady: (() => void) | null = null;
  #loading = new LoadingCard();
  /** The worker that gets ready beside the open run; null if there is none. */
  incoming: Incoming | null = null;
  /** What runs shall compute on, in labs that can choose. */
  device: Device = "cpu";
  /** The replay of a link or a recipe file that goes on; null if none does. */
  replay: Replay | null = null;
  /** The line that tells of the last replay. */
  #replayLine: HTMLElement | null = null;
  /** Keeps moments of the open run; null until the first unit has ended. */
  #moments: Promise<Moments> | null = null;
  /** True once the site is being kept for visits without a network. */
  #keptOffline = false;
  /** Says what could not be loaded, or has failed. */
  readonly trouble = new Trouble(this);
  /** The row of labs in the header. */
  readonly switcher = new LabSwitcher(LABS);
  /** The run that was asked for last, by a link or by the visitor; null for the front or a saved run. */
  #lastRequest: RunRequest | null = null;
  /** Counts navigations. A navigation that is still loading is dropped when the next begins. */
  #navigations = 0;

  constructor(
    readonly main: HTMLElement,
    readonly notices: Notices,
    choice: BundleChoice,
  ) {
    this.run = new Run(choice);
    this.autosave = new Autosave(this.run, (text, full) => this.kept.tellSaved(text, full));
    this.kept = new KeptRuns(this);
    this.#listen();
    void this.route();
  }

  /** The lab screen, if it is shown. */
  get labScreen(): LabScreen | null {
    return this.screen instanceof LabScreen ? this.screen : null;
  }

  #listen(): void {
    const { run, notices } = this;
    run.on("ready", () => {
      const next = this.#afterReady;
      this.#afterReady = null;
      next?.();
    });
    run.on("opened", () => {
      if (!this.replay) this.#replayLine?.remove(); // it tells of another run
      this.showLink();
    });
    run.on("progress", ({ units }) => {
      if (units === 0) return;
      this.#keepOffline();
      this.loadMoments().catch(() => {}); // without a network the page works on without them
    });
    run.on("solved", () => run.lab && this.#updateTitle(run.lab));
    run.on("configured", () => this.showLink());
    run.on("refused", ({ request, message }) => {
      // Files are refused where they are dropped or chosen, so this is a run that was saved here.
      const text = request === "resume" ? `The saved run cannot be continued: ${message}` : message;
      notices.show("refused", sentence(text), [], { tone: "wrong", seconds: SECONDS.medium });
      if (request === "configure" || request === "start") this.labScreen?.draft.resetToRun();
      // If a saved run or a link cannot be opened, the page still shows a run.
      if (!run.lab && request === "resume") void this.startFresh(this.#lastRequest);
      if (!run.lab && request === "start" && this.#lastRequest)
        void this.startFresh(defaultRequest(this.#lastRequest.lab));
    });
    run.on("saved", ({ purpose, units, bytes }) => {
      const id = run.lab?.about.id ?? "run";
      if (purpose === DOWNLOAD) download(fileName(id, run.seed, units), bytes);
      if (purpose === DOWNLOAD_RECIPE) download(recipeName(id, run.origin().seed, units), bytes);
      if (purpose === DOWNLOAD_NETWORK) download(fileName(id, run.seed, units, { networkOnly: true }), bytes);
    });
    run.on("device", ({ gpu, message }) => {
      if (gpu) return;
      // The run goes on in its worker, which has one thread only, until it has moved.
      const reason = sentenceEnd(message ?? "the browser could not open it");
      this.notices.show("gpu", `The GPU is not used: ${reason}`, [], { tone: "wrong", seconds: SECONDS.long });
      void moveRun(this, "cpu");
    });
    run.on("failed", ({ kind }) => kind === "device" && (this.device = "cpu"));
    run.on("failed", (failure) => void this.trouble.showFailure(failure, run.loaded));
    // A run that is opened meanwhile replaces the address, so the address in the event is used.
    addEventListener("hashchange", ({ newURL }) => void this.route(new URL(newURL).hash));
    listenFileDrops((file, report) => void openFile(this, file, report));
  }

  /** Shows what the address asks for: the front, the open run, or another run. */
  async route(hash = location.hash): Promise<void> {
    const navigation = ++this.#navigations;
    this.dropIncoming();
    try {
      await this.#follow(hash, navigation);
      if (this.isCurrent(navigation)) this.trouble.retrying = false;
    } catch (error) {
      if (this.isCurrent(navigation)) await this.trouble.showMissingPart(hash, error as Error);
    }
  }

  /** The number of the last navigation. */
  get navigation(): number {
    return this.#navigations;
  }

  /** True if no later navigation has begun. */
  isCurrent(navigation: number): boolean {
    return navigation === this.#navigations;
  }

  /** Does what `route` says. Throws if a part of the page cannot be loaded. */
  async #follow(hash: string, navigation: number): Promise<void> {
    const { request, front, problems } = await readLink(hash, LABS);
    if (navigation !== this.#navigations) return;
    if (problems.length > 0) {
      this.notices.show("link", sentence(problems.join(". ")), [], { tone: "wrong" });
    }
    this.#lastRequest = request;
    this.switcher.mark(request?.lab.about.id);
    if (front || !request) {
      // The front is loaded on demand, because a link leads straight to a lab.
      const { Front } = await import("./front/front");
      if (navigation !== this.#navigations) return;
      const saved = LABS.map(({ id }) => savedUnits(id));
      this.show(new Front(LABS, this.run, saved));
      document.title = "Learnery";
      // A first visit keeps nothing before a lab has been chosen; a later one gets what is new.
      void Promise.all(saved).then((units) => units.some((each) => each !== null) && this.#keepOffline());
      return;
    }
    const { run } = this;
    const labIsOpen = run.open && run.lab?.about.id === request.lab.about.id;
    // A link that names a unit asks for the run from its start up to that unit, so the open run does not do.
    const same = labIsOpen && sameRun(request.lab, run.origin(), request) && request.units === null;
    if (labIsOpen && (same || !request.explicit)) {
      await this.showLab(request.lab);
      this.showLink();
      if (request.device) await moveRun(this, request.device);
      return;
    }
    if (request.device) this.#chooseDevice(request.device);
    await this.withWorkerFor(request.lab, () => void this.#open(request));
  }

  /** Lets runs compute on this device from now on, if this browser has it. */
  #chooseDevice(device: Device): void {
    const missing = device === "gpu" ? whyNoGpu() : undefined;
    if (missing) this.notices.show("gpu", missing, [], { tone: "wrong", seconds: SECONDS.long });
    this.device = missing ? "cpu" : device;
  }

  /** What runs of this lab compute on. */
  deviceFor(lab: LabInfo): Device {
    return lab.usesGpu ? this.device : "cpu";
  }

  /** Calls `next` when there is a worker for this lab. A worker with another lab's bundle is saved and replaced. */
  async withWorkerFor(lab: LabInfo, next: () => void): Promise<void> {
    this.dropIncoming();
    if (this.run.isReadyFor(lab) && this.run.device === this.deviceFor(lab)) next();
    else await this.replaceWorker(lab, next);
  }

  /** Continues the lab's saved run, or starts a new one if the link asks for another run. */
  async #open(request: RunRequest): Promise<void> {
    const { lab } = request;
    const library = libraryOf(lab);
    let saved: SavedRun | null = null;
    if (await this.autosave.ownsLab(lab.about.id)) {
      await library.adoptOldSlots().catch(() => {}); // They stay, and are adopted another time.
      saved = await library.loadLatest();
    }
    if (request !== this.#lastRequest) return; // Another run was asked for meanwhile.
    const header = saved && readHeader(saved.bytes);
    if (!saved || !header) {
      await this.startFresh(request);
      return;
    }
    const origin = startOf(header.config, header.seed, header.changes);
    const same = sameRun(request.lab, origin, request) && request.units === null;
    if (!request.explicit || same) {
      await this.resume(request.lab, saved, request);
      return;
    }
    const earlier = saved.note?.id;
    const isOpen = earlier === this.kept.openRun;
    await this.startFresh(request);
    if (!earlier || isOpen) return; // the open run has just been kept
    if (header.units < MIN_UNITS_TO_KEEP) return library.discardIfShort(earlier);
    this.notices.show(
      "earlier",
      `This link started a new run. Your earlier one (seed ${origin.seed}, ${formatCount(header.units, lab.about.unit)}) is saved.`,
      [{ label: "Continue the earlier run", run: () => void this.kept.goBackTo(lab, earlier) }],
    );
  }

  /** Continues a saved run, and offers for a while to start anew: with the settings of `request`, or the defaults. */
  async resume(lab: LabInfo, saved: SavedRun, request: RunRequest | null): Promise<void> {
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
            label: "Start a new run",
            run: () => void this.startFresh({ ...(request ?? defaultRequest(lab)), units: null, bits: null }),
          },
        ],
        { seconds: SECONDS.long },
      );
    });
    this.run.resume(saved.bytes, saved.note);
    await this.showLab(lab);
  }

  /** Starts the run of a recipe file, and repeats it. */
  startRecipe(request: RunRequest): void {
    this.#lastRequest = request;
    if (request.device) this.#chooseDevice(request.device);
    void this.withWorkerFor(request.lab, () => void this.startFresh(request));
  }

  /** Starts a new run. The open one is kept in the library. */
  async startFresh(request: RunRequest | null): Promise<void> {
    if (!request) return;
    let begin = () => this.run.play();
    if (request.units !== null || request.changes.length > 0) {
      const replay = await this.#loadReplay(request).catch((error: unknown) => error as Error);
      if (request !== this.#lastRequest) return; // another run was asked for meanwhile
      if (replay instanceof Error) return this.trouble.showMissingPart(location.hash, replay);
      begin = replay;
    }
    this.notices.hide("resumed");
    this.kept.keepPresent({ tell: true });
    const unsubscribe = this.run.on("opened", () => {
      unsubscribe();
      begin();
    });
    this.run.start(request.lab, request.settings, request.seed);
    await this.showLab(request.lab);
  }

  /** Loads what keeps moments of the open run. */
  loadMoments(): Promise<Moments> {
    return (this.#moments ??= import("./core/moments").then(
      ({ Moments }) => new Moments(this.run, this.autosave, [AUTOSAVE, KEEP]),
      (error: unknown) => {
        this.#moments = null;
        throw error;
      },
    ));
  }

  /** Loads what repeats a run, and returns a function that begins to repeat the run that has just been opened. */
  async #loadReplay({ lab, changes, units, bits }: RunRequest): Promise<() => void> {
    const [{ Replay }, { ReplayLine }] = await Promise.all([import("./core/replay"), import("./ui/replay-line")]);
    const { run } = this;
    return () => {
      const replay = (this.replay = new Replay(run, { changes, units, bits }));
      this.#replayLine = new ReplayLine(replay, lab.about.unit, () => run.bundle.bits).element;
      this.labScreen?.showReplay(this.#replayLine);
      replay.on("ended", ({ kind }) => {
        this.replay = null;
        this.showLink();
        this.autosave.save();
        if (units === null && kind === "done") run.play();
      });
      this.showLink();
      replay.start();
    };
  }

  /** Marks the tab's title when the goal is reached, for a visitor who is looking at another tab. */
  #updateTitle(lab: LabInfo): void {
    document.title = `${isSolved(this.run.progress) ? "✓ " : ""}${lab.about.title} · Learnery`;
  }

  async showLab(lab: LabInfo): Promise<void> {
    this.#updateTitle(lab);
    this.switcher.mark(lab.about.id);
    if (this.labScreen?.lab.about.id === lab.about.id) return this.#showChallenge();
    this.module = await loadViewModule(lab.about.id).catch(() => null);
    const screen = LabScreen.create(lab, this.run, this.module, {
      tell: (name, text, actions) => this.notices.show(name, text, actions, { seconds: SECONDS.long }),
      restart: () => this.restart(),
      save: (options) => this.save(options),
      saveRecipe: () => this.run.save(DOWNLOAD_RECIPE, { recipe: true }),
      open: (report) => pickFile(".safetensors,.json", (file) => void openFile(this, file, report)),
      openFile: (file, report) => openFile(this, file, report),
      useDevice: (device) => moveRun(this, device),
      loadMoments: () => this.loadMoments(),
      branch: (from) => branchRun(this, from),
      loadLibraryActions: async () => new (await import("./kept-run-actions")).KeptRunActions(this),
    });
    this.show(screen);
    this.#showChallenge();
    if (this.replay && this.#replayLine) screen.showReplay(this.#replayLine);
    if (!this.run.lab) return;
    screen.view?.opened();
    this.showLink();
  }

  /** Shows the challenge of the last link, if it has one. */
  #showChallenge(): void {
    const { challenge, settings } = this.#lastRequest ?? {};
    if (!challenge || !settings) return;
    void this.labScreen?.openChallenges({ text: challenge, settings }).catch(() => {
      this.trouble.tellMissing("The challenge");
    });
  }

  show(screen: Screen): void {
    if (this.screen === screen) return;
    this.screen?.destroy();
    this.screen = screen;
    this.main.replaceChildren(screen.element);
    (screen instanceof LabScreen ? screen.dock : document.body).append(this.notices.box);
    scrollTo(0, 0);
  }

  /** Starts a new run with the settings and the seed of the settings panel. */
  restart(): void {
    const draft = this.labScreen?.draft;
    if (!draft) return;
    const lab = draft.lab;
    const request = { ...defaultRequest(lab), seed: draft.seed, settings: { ...draft.settings }, explicit: true };
    void this.withWorkerFor(lab, () => void this.startFresh(request));
  }

  /** Downloads the run as a checkpoint, or only its network. */
  save({ networkOnly }: { networkOnly: boolean }): void {
    this.run.save(networkOnly ? DOWNLOAD_NETWORK : DOWNLOAD, { networkOnly });
  }

  /** Puts the run's link into the address bar, without a new entry in the history. */
  showLink(): void {
    const { lab } = this.run;
    if (!lab || !this.labScreen) return;
    // During a replay, the address stays that of the run that is repeated.
    const { settings, seed, changes } = this.run.origin();
    const { units, ...end } = this.replay?.plan ?? { units: null, changes };
    const challenge = this.#lastRequest?.lab === lab ? this.#lastRequest.challenge : null;
    const suffix = challenge ? `&challenge=${encodeURIComponent(challenge)}` : "";
    history.replaceState(null, "", writeLink(lab, settings, seed, units, this.run.device, end) + suffix);
    this.labScreen.share?.draw();
  }

  /** A worker that gets ready beside the open run. */
  newIncoming(lab: LabInfo): Incoming {
    this.dropIncoming();
    const bundle = this.deviceFor(lab) === "gpu" ? GPU_BUNDLE : this.run.cpuBundle;
    return (this.incoming = new Incoming(bundle, lab, (fraction, text) => this.#loading.show(fraction, text)));
  }

  dropIncoming(): void {
    this.incoming?.close();
    this.incoming = null;
  }

  /**
   * Replaces the worker by one for this lab, and calls `next` when that is ready. The open run goes on until every file
   * of the lab has arrived, and is saved then.
   */
  async replaceWorker(lab: LabInfo, next: () => void): Promise<void> {
    this.labScreen?.cover(null); // takes the card of a failure away
    if (this.labScreen?.lab !== lab) this.show(this.#loading);
    const incoming = this.newIncoming(lab);
    try {
      await Promise.all([incoming.fetched, loadViewModule(lab.about.id)]);
      await this.autosave.finish();
      incoming.throwIfClosed();
    } catch (error) {
      if (this.incoming !== incoming) return;
      this.dropIncoming();
      if (error instanceof IncomingFailure) await this.trouble.showFailure(error.failure, lab);
      else await this.trouble.showMissingPart(location.hash, error as Error);
    }
    if (this.incoming !== incoming) return; // something else was asked for meanwhile
    this.incoming = null;
    this.#afterReady = next;
    this.run.adopt(incoming);
  }

  /** Keeps the site on this device, for visits without a network, and says when there is a new version of it. */
  #keepOffline(): void {
    if (this.#keptOffline) return;
    this.#keptOffline = true;
    const newVersion = () => {
      const reload = { label: "Reload the page", run: () => void this.autosave.finish().then(() => location.reload()) };
      this.notices.show("version", "A new version of Learnery is available.", [reload]);
    };
    void import("./core/offline").then(
      ({ keepOffline }) => keepOffline(this.run.cpuBundle.name, newVersion),
      () => {}, // without a network there is nothing to keep
    );
  }
}

/** The text with a capital letter and a full stop. */
function sentence(text: string): string {
  return sentenceEnd(sentenceStart(text));
}
