// The page as a whole: holds its parts, shows a screen (a lab or the front), and saves the open run as a file and in
// the address. Where runs come from is in navigation.ts and runs.ts.

import { branchRun } from "./branch";
import { Autosave, AUTOSAVE_PURPOSE } from "./core/autosave";
import type { BundleChoice } from "./core/bundle";
import { download, fileName, recipeName } from "./core/checkpoint";
import { pickFile } from "./core/dom";
import { sentence } from "./core/format";
import { standingOf } from "./core/goal";
import { writeLink } from "./core/link";
import type { Moments } from "./core/moments";
import { Run, type AnyView } from "./core/run";
import { LABS } from "./generated/labs";
import type { LabInfo } from "./generated/protocol";
import type { ViewModule } from "./ui/lab-view";
import { loadViewModule, manifestOf } from "./labs/manifests";
import { KEEP_PURPOSE, KeptRuns } from "./kept-runs";
import { moveRun } from "./move-run";
import { Navigation } from "./navigation";
import type { Front } from "./front/front";
import { openFile } from "./open-file";
import { Runs } from "./runs";
import { Trouble } from "./trouble";
import type { FailureCard, LoadingCard } from "./ui/cards";
import { listenFileDrops } from "./ui/drop";
import { LabScreen } from "./ui/lab-screen";
import type { MissingCard } from "./ui/missing";
import { NOTICE_SECONDS, type Notices } from "./ui/notices";
import { LabSwitcher } from "./ui/switcher";
import { Workers } from "./workers";

/** The kinds of screens that can fill the page. */
type Screen = LabScreen | Front | LoadingCard | FailureCard | MissingCard;

// The purposes of this file's save requests: what is done with the saved bytes. The answer has the same `purpose` as
// its request.
/** The whole run is downloaded. */
const DOWNLOAD_PURPOSE = "download";
/** Only the network is downloaded. */
const DOWNLOAD_NETWORK_PURPOSE = "network";
/** The recipe of the run is downloaded. */
const DOWNLOAD_RECIPE_PURPOSE = "recipe";

export class App {
  /** The open run. One object stands for all runs, one after the other. */
  readonly run: Run;
  /** The screen that is shown. */
  screen: Screen | null = null;
  /** The module that draws the lab's picture. */
  module: ViewModule<AnyView> | null = null;
  readonly autosave: Autosave;
  /** The runs that the browser keeps. */
  readonly kept: KeptRuns;
  /** The worker of the open run, and the one that is to replace it. */
  readonly workers: Workers;
  /** Starts and continues runs. */
  readonly runs: Runs;
  /** Says what could not be loaded, or has failed. */
  readonly trouble: Trouble;
  /** Follows the address. */
  readonly navigation: Navigation;
  /** The row of labs in the header. */
  readonly switcher = new LabSwitcher(LABS);
  /** Keeps moments of the open run; null until the first unit has ended. */
  #moments: Promise<Moments> | null = null;
  /** True once the site is being kept for visits without a network. */
  #keptOffline = false;
  /** The tool that is opened as soon as its lab is shown. */
  #toolToOpen: { lab: string; tool: string } | null = null;

  constructor(
    readonly main: HTMLElement,
    readonly notices: Notices,
    choice: BundleChoice,
  ) {
    this.run = new Run(choice);
    this.autosave = new Autosave(this.run, (text, full) => this.kept.tellSaved(text, full));
    this.kept = new KeptRuns(this);
    this.workers = new Workers(this);
    this.runs = new Runs(this);
    this.trouble = new Trouble(this);
    this.navigation = new Navigation(this);
    this.#listen();
    void this.navigation.route();
  }

  /** The lab screen, if it is shown. */
  get labScreen(): LabScreen | null {
    return this.screen instanceof LabScreen ? this.screen : null;
  }

  #listen(): void {
    const { run, notices } = this;
    run.on("opened", () => this.showLink());
    run.on("progress", ({ units }) => {
      if (units === 0) return;
      this.keepOffline();
      this.loadMoments().catch(() => {}); // without a network the page works on without them
    });
    run.on("configured", () => this.showLink());
    run.on("refused", ({ request, message }) => {
      const { view } = this.labScreen ?? {};
      if (request === "command" && view?.refused) return view.refused(sentence(message));
      // Files are refused where they are dropped or chosen, so this is a run that was saved here.
      const text = request === "resume" ? `The saved run cannot be continued: ${message}` : message;
      notices.show("refused", sentence(text), [], { tone: "wrong", seconds: NOTICE_SECONDS.medium });
      if (request === "configure" || request === "start") this.labScreen?.draft.resetToRun();
    });
    run.on("saved", ({ purpose, units, bytes }) => {
      const id = run.lab?.about.id ?? "run";
      if (purpose === DOWNLOAD_PURPOSE) download(fileName(id, run.seed, units), bytes);
      if (purpose === DOWNLOAD_RECIPE_PURPOSE) download(recipeName(id, run.origin().seed, units), bytes);
      if (purpose === DOWNLOAD_NETWORK_PURPOSE) download(fileName(id, run.seed, units, { networkOnly: true }), bytes);
    });
    run.on("failed", (failure) => void this.trouble.showFailure(failure, run.loaded));
    listenFileDrops((file, report) => void openFile(this, file, report));
  }

  /** Loads the module that keeps moments of the open run. */
  loadMoments(): Promise<Moments> {
    return (this.#moments ??= import("./core/moments").then(
      ({ Moments }) => new Moments(this.run, this.autosave, [AUTOSAVE_PURPOSE, KEEP_PURPOSE]),
      (error: unknown) => {
        this.#moments = null;
        throw error;
      },
    ));
  }

  /** Marks the tab's title when the run is solved, for a visitor who is looking at another tab. */
  #updateTitle(lab: LabInfo): void {
    document.title = `${standingOf(this.run) === "solved" ? "✓ " : ""}${lab.about.title} · Learnery`;
  }

  async showLab(lab: LabInfo): Promise<void> {
    this.#updateTitle(lab);
    this.switcher.mark(lab.about.id);
    if (this.labScreen?.lab.about.id === lab.about.id) return this.#showRequested(this.labScreen);
    this.module = await loadViewModule(lab.about.id).catch(() => null);
    const screen = LabScreen.create(lab, this.run, this.module, manifestOf(lab.about.id), {
      tell: (name, text, actions) => this.notices.show(name, text, actions, { seconds: NOTICE_SECONDS.long }),
      restart: () => this.restart(),
      save: (options) => this.save(options),
      saveRecipe: () => this.run.save(DOWNLOAD_RECIPE_PURPOSE, { recipe: true }),
      open: (report) => pickFile(".safetensors,.json", (file) => void openFile(this, file, report)),
      openFile: (file, report) => openFile(this, file, report),
      useDevice: (device) => moveRun(this, device),
      loadMoments: () => this.loadMoments(),
      branch: (from) => branchRun(this, from),
      loadSmallPicture: async () => (await import("./labs/pictures")).smallPictureOf(lab.about.id),
      loadLibraryActions: async () => new (await import("./kept-run-actions")).KeptRunActions(this),
    });
    screen.shown.on("changed", () => this.#updateTitle(lab));
    this.show(screen);
    this.#showRequested(screen);
    this.runs.showReplay();
    if (!this.run.lab) return;
    screen.opened();
    this.showLink();
  }

  /** Shows what the last link asks for, such as a challenge, and the tool that was asked for. */
  #showRequested(screen: LabScreen): void {
    const { lab, tools } = screen;
    const { request } = this.runs;
    if (request?.challenge)
      void tools.openChallenges({ text: request.challenge, settings: request.settings }).catch(() => {
        this.trouble.tellMissing("The challenge");
      });
    const shown = this.runs.takeShown(lab);
    if (shown === null || screen.view?.show) screen.showWhenOpen(shown);
    else {
      const text = `${lab.about.title} has nothing that a link can show, so “show” in this link is ignored.`;
      this.notices.show("show", text, [], { tone: "wrong" });
    }
    if (this.#toolToOpen?.lab === lab.about.id) void tools.show(this.#toolToOpen.tool);
    this.#toolToOpen = null;
  }

  /** Opens another lab with one of its tools. */
  openTool(lab: string, tool: string): void {
    this.#toolToOpen = { lab, tool };
    location.hash = `#/${lab}`;
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
    if (draft) void this.runs.restart(draft.lab, draft.settings, draft.seed);
  }

  /** Downloads the run as a checkpoint, or only its network. */
  save({ networkOnly }: { networkOnly: boolean }): void {
    this.run.save(networkOnly ? DOWNLOAD_NETWORK_PURPOSE : DOWNLOAD_PURPOSE, { networkOnly });
  }

  /** Puts the run's link into the address bar, without a new entry in the history. */
  showLink(): void {
    const { lab } = this.run;
    if (!lab || !this.labScreen) return;
    // During a replay, the address stays that of the run that is repeated.
    const { settings, seed, changes } = this.run.origin();
    const { units, ...end } = this.runs.replay?.plan ?? { units: null, changes };
    const challenge = this.runs.challenge(lab);
    const suffix = challenge ? `&challenge=${encodeURIComponent(challenge)}` : "";
    history.replaceState(null, "", writeLink(lab, settings, seed, units, this.run.device, end) + suffix);
    this.labScreen.tools.share?.draw();
  }

  /** Keeps the site on this device, for visits without a network, and says when there is a new version of it. */
  keepOffline(): void {
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
