// The page as a whole: holds its parts, shows a screen (a lab or the front), and saves the open run as a file and in
// the address. Where runs come from is in navigation.ts and runs.ts.

import { Autosave } from "./core/autosave";
import type { BundleChoice } from "./core/bundle";
import { download, fileName, recipeName } from "./core/checkpoint";
import { pickFile } from "./core/dom";
import { sentence } from "./core/format";
import { standingOf } from "./core/goal";
import { libraryOf } from "./core/library";
import { withoutHidden, writeLink } from "./core/link";
import type { Moments } from "./core/moments";
import type { Offline } from "./core/offline";
import { hasData } from "./core/recipe";
import { Run, type SaveOptions } from "./core/run";
import type { AnyView } from "./core/run-events";
import { slowWhileHidden } from "./core/slow-while-hidden";
import { StopAtGoal } from "./core/stop-at-goal";
import { LABS } from "./generated/labs";
import type { LabInfo } from "./generated/protocol";
import type { OpenFile, ViewModule } from "./ui/lab-view";
import { loadViewModule, manifestOf } from "./labs/manifests";
import { loadSmallPicture } from "./labs/small-picture";
import { KeptRuns } from "./kept-runs";
import { Navigation } from "./navigation";
import type { ClassScreen } from "./class/class";
import type { Front } from "./front/front";
import type { Lessons } from "./lessons/open";
import { Runs } from "./runs";
import { Trouble } from "./trouble";
import type { FailureCard, LoadingCard } from "./ui/cards";
import { listenFileDrops } from "./ui/drop";
import { LabScreen } from "./ui/lab-screen";
import type { MissingCard } from "./ui/missing";
import type { Notices } from "./ui/notices";
import { LabSwitcher } from "./ui/switcher";
import { Workers } from "./workers";

/** The kinds of screens that can fill the page. */
type Screen = LabScreen | Front | Lessons | ClassScreen | LoadingCard | FailureCard | MissingCard;

/** How long the save of a run may take before the page is reloaded: a busy machine is slow. */
const RELOAD_WAIT_MS = 15_000;

export class App {
  /** The open run. One object stands for all runs, one after the other. */
  readonly run: Run;
  /** The screen that is shown. */
  screen: Screen | null = null;
  /** The module that draws the lab's picture. */
  module: ViewModule<AnyView> | null = null;
  readonly autosave: Autosave;
  readonly stopAtGoal: StopAtGoal;
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
  /** Keeps labs for visits without a network; null until the first lab learns. */
  #offline: Promise<Offline> | null = null;
  /** The labs, or the front, that are being kept since they were opened: `LAB DEVICE`, such as "cube cpu". */
  #keptOpened = new Set<string>();
  /** The tool that is opened as soon as its lab is shown. */
  #toolToOpen: { lab: string; tool: string } | null = null;

  constructor(
    readonly main: HTMLElement,
    readonly notices: Notices,
    choice: BundleChoice,
  ) {
    this.run = new Run(choice);
    // A challenge of a link and the tour ask for more than the goal, so the run does not stop there meanwhile.
    const isElsewhere = () => {
      const { lab } = this.run;
      return (lab !== null && this.runs.challenge(lab) !== null) || (this.labScreen?.isGuided ?? false);
    };
    this.stopAtGoal = new StopAtGoal(this.run, isElsewhere);
    this.autosave = new Autosave(this.run, (text, full) => this.kept.tellSaved(text, full));
    this.kept = new KeptRuns(this);
    this.workers = new Workers(this);
    this.runs = new Runs(this);
    this.trouble = new Trouble(this);
    this.navigation = new Navigation(this);
    // A notice that comes or goes must not change the width of the run controls.
    notices.around = (change) => {
      const { labScreen } = this;
      if (labScreen) labScreen.controls.keepWidth(change);
      else change();
    };
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
    run.on("refused", ({ request, message: reason }) => {
      const { view } = this.labScreen ?? {};
      const message = withoutHidden(reason, run.lab ? this.runs.hidden(run.lab) : null);
      if (request === "command" && view?.refused) return view.refused(sentence(message));
      // Files are refused where they are dropped or chosen, so this is a run that was saved here.
      const text = request === "resume" ? `The saved run cannot be continued: ${message}` : message;
      notices.show("refused", sentence(text), [], { tone: "wrong" });
      if (request === "configure" || request === "start") this.labScreen?.draft.resetToRun();
    });
    this.stopAtGoal.on("stopped", () => this.#tellStopped());
    this.stopAtGoal.on("left", () => notices.hide("stopped"));
    slowWhileHidden(run, () => {
      const text = "While this tab was hidden, the run trained slowly.";
      notices.show("hidden", text);
    });
    run.on("failed", (failure) => void this.trouble.showFailure(failure, run.loaded));
    listenFileDrops((file, report) => void this.#openFile(file, report));
  }

  /** Says that the open run stands at its goal. */
  #tellStopped(): void {
    const { lab } = this.run;
    if (!lab) return;
    // At a slow pace the run is paused in the middle of a unit, which does not end while it is paused, and the unit
    // before may not be saved yet. (At max speed every pause saves it.)
    if (this.run.pace !== null) this.autosave.save({ atOnce: true });
    const text = "The run has reached its goal, so it is paused.";
    const trainOn = { label: "Train on", run: () => this.run.play() };
    this.notices.show("stopped", text, [trainOn], { stays: true, lab: lab.about.id });
  }

  /** Downloads the open run under a name with the one that the visitor gave it, or only its network or its recipe. */
  async #download({ networkOnly = false, recipe = false }: SaveOptions): Promise<void> {
    const { run } = this;
    const saved = await run.save({ networkOnly, recipe }).catch(() => null); // the page shows why
    const { lab, seed, note } = run;
    if (!saved || !lab) return;
    const { id } = lab.about;
    const { units, bytes } = saved;
    if (recipe) return download(recipeName(id, run.origin().seed, units), bytes);
    if (networkOnly) return download(fileName(id, seed, units, { networkOnly }), bytes);
    const kept = await libraryOf(lab)
      .find(note.id)
      .catch(() => null);
    download(fileName(id, seed, units, { name: kept?.metadata.name ?? null }), bytes);
  }

  /** Opens a checkpoint or a recipe file, and returns whether that was possible. */
  #openFile: OpenFile = async (file, report) => {
    const module = await import("./open-file").catch(() => null);
    if (module) return module.openFile(this, file, report);
    report(
      `${file.name} cannot be opened: a part of the page could not be loaded. Check the network connection.`,
      true,
    );
    return false;
  };

  /** Loads the module that keeps moments of the open run. */
  loadMoments(): Promise<Moments> {
    return (this.#moments ??= import("./core/moments").then(
      ({ Moments }) => new Moments(this.run, this.autosave, this.kept),
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
    this.notices.enter(lab.about.id);
    if (this.labScreen?.lab.about.id === lab.about.id) return this.#showRequested(this.labScreen);
    this.module = await loadViewModule(lab.about.id).catch(() => null);
    const screen = LabScreen.create(lab, this.run, this.module, manifestOf(lab.about.id), {
      tell: (name, text, actions) => this.notices.show(name, text, actions, { lab: lab.about.id }),
      restart: () => this.restart(),
      save: (options) => this.save(options),
      saveRecipe: () => void this.#download({ recipe: true }),
      resultCode: () => {
        const tellMissing = () => this.trouble.tellMissing("The result code");
        void Promise.all([import("./class/result-dialog"), screen.tools.openChallenges()]).then(
          ([{ openResultDialog }, { linked }]) => openResultDialog(this.run, linked ? [linked] : []),
          tellMissing,
        );
      },
      open: (report) => pickFile(".safetensors,.json", (file) => void this.#openFile(file, report)),
      openFile: this.#openFile,
      useDevice: (device) => this.workers.moveRun(device),
      loadMoments: () => this.loadMoments(),
      stopAtGoal: this.stopAtGoal,
      branch: async (from) => (await import("./branch")).branchRun(this, from),
      loadSmallPicture: () => loadSmallPicture(lab.about.id),
      loadMoment: async () => (await import("./moments-of-links")).loadLabMoment(lab.about.id),
      loadRunParts: () => import("./labs/run-parts"),
      loadLibraryActions: async () => new (await import("./kept-run-actions")).KeptRunActions(this),
    });
    screen.shown.on("changed", () => this.#updateTitle(lab));
    this.show(screen);
    this.#showRequested(screen);
    this.runs.showReplay();
    if (!this.run.lab) return;
    screen.opened();
    this.showLink();
    // The notice that the run stands at its goal went when the visitor left the lab, so it is shown again.
    if (this.run.open && this.stopAtGoal.isStopped) this.#tellStopped();
  }

  /** Shows what the last link asks for, such as a challenge, and the tool that was asked for. */
  #showRequested(screen: LabScreen): void {
    const { lab, tools } = screen;
    const { request } = this.runs;
    if (request?.challenge)
      void tools.openChallenges({ text: request.challenge, settings: request.settings }).catch(() => {
        this.trouble.tellMissing("The challenge");
      });
    if (request?.duel)
      void import("./open-duel").then(
        ({ openDuel }) => openDuel(this, screen, request),
        () => this.trouble.tellMissing("The duel"),
      );
    const lost = request?.lost ?? null;
    if (request) request.lost = null;
    if (screen.view?.hide) screen.view.hide(this.runs.hidden(lab), lost !== null);
    else if (lost !== null) this.notices.show("lost-data", sentence(lost), [], { tone: "wrong" });
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
    document.documentElement.dataset.screen = screen.element.classList[0]; // for style sheets
    // In a lab the notices have a place in the dock (the run controls).
    if (screen instanceof LabScreen) screen.controls.noticePlace.append(this.notices.box);
    else this.main.before(this.notices.box);
    scrollTo(0, 0);
  }

  /** Starts a new run with the settings and the seed of the settings panel. */
  restart(): void {
    const { draft, view } = this.labScreen ?? {};
    if (!draft) return;
    const data = view?.dataOfNewRun?.(draft.settings) ?? null;
    void this.runs.restart(draft.lab, draft.settings, draft.seed, data);
  }

  /** Downloads the run as a checkpoint, or only its network. */
  save(options: { networkOnly: boolean }): void {
    void this.#download(options);
  }

  /** Puts the run's link into the address bar, without a new entry in the history. */
  showLink(): void {
    const { lab } = this.run;
    if (!lab || !this.labScreen) return;
    // During a replay, the address stays that of the run that is repeated.
    const { settings, seed, changes } = this.run.origin();
    const { units, ...end } = this.runs.replay?.plan ?? { units: null, changes };
    const challenge = this.runs.challenge(lab);
    const hidden = this.runs.hidden(lab);
    const suffix =
      (challenge ? `&challenge=${encodeURIComponent(challenge)}` : "") +
      (hidden ? `&hide=${hidden}` : "") +
      (this.runs.moment?.linkPart ?? "");
    const link = writeLink(lab, settings, seed, units, this.run.device, end) + suffix;
    history.replaceState(null, "", link);
    this.labScreen.tools.share?.draw();
    // Without a network the link stays without data.
    if (hasData(end.changes))
      import("./core/packed").then(({ addToAddress }) => addToAddress(link, end.changes)).catch(() => {});
  }

  /** Reloads the page once the run is saved. */
  async reloadSaved(): Promise<void> {
    await this.autosave.finish(RELOAD_WAIT_MS);
    location.reload();
  }

  /** Loads the module that keeps labs on this device, and says when there is a new version of the site. */
  loadOffline(): Promise<Offline> {
    const newVersion = () => {
      const reload = { label: "Reload the page", run: () => void this.reloadSaved() };
      this.notices.show("version", "A new version of Learnery is available.", [reload], { stays: true, lab: null });
    };
    return (this.#offline ??= import("./core/offline").then(
      ({ Offline }) => new Offline(this.run.cpuBundle.name, newVersion),
      (error: unknown) => {
        this.#offline = null;
        throw error;
      },
    ));
  }

  /** Keeps the page and the open lab on this device, for visits without a network. */
  keepOffline(): void {
    const { run } = this;
    const lab = run.lab?.about.id ?? null;
    const opened = `${lab ?? "front"} ${run.device}`;
    if (this.#keptOpened.has(opened)) return;
    this.#keptOpened.add(opened);
    void this.loadOffline().then(
      (offline) => offline.keepOpened(lab, run.device === "gpu"),
      () => void this.#keptOpened.delete(opened), // perhaps there was no network: the next unit tries again
    );
  }
}
