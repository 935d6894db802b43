// The tools of a lab screen, below the picture: curves, settings, comparison, runs, challenges, links and files. All
// but the curves are loaded on demand: when they are opened, or for the challenges after some seconds at the latest.

import type { Challenges } from "./challenges/challenges";
import type { LinkedChallenge } from "../core/challenge";
import type { Cleanups } from "../core/cleanups";
import type { Contenders } from "../core/contenders";
import { el } from "../core/dom";
import type { Draft } from "../core/draft";
import type { RunRequest, Settings } from "../core/link";
import type { Overlays } from "../core/overlays";
import type { AnyView } from "../core/run-events";
import type { LabInfo } from "../generated/protocol";
import type { Headline } from "./headline";
import type { LabManifest } from "./lab-manifest";
import type { LabMoment } from "./lab-moment";
import type { LabView } from "./lab-view";
import type { LibraryActions } from "./library";
import type { NoticeAction } from "./notices";
import type { SettingsPanel } from "./settings-panel";
import type { Share, ShareActions } from "./share";
import type { RunPartsModule } from "./run-parts";
import type { SmallPicture } from "./small-picture/picture";
import type { StopAtGoal } from "../core/stop-at-goal";
import type { TakenScreen } from "./take-out/take-out";
import { Tools, type Tool, type ToolPanel } from "./tools";

/** The tools are shown this long after the picture, so that drawing them does not delay it. */
const SHOW_DELAY_MS = 60;
/** The challenges are loaded and judged after this time at the latest. The delay keeps the first picture fast. */
const CHALLENGES_DELAY_MS = 6_000;

/** What the tools ask of the page. */
export interface ToolActions extends ShareActions {
  /** Shows a notice. */
  tell: (name: string, text: string, actions: NoticeAction[]) => void;
  /** Starts a new run with the settings of the settings panel. */
  restart: () => void;
  /** Stops runs at their goal. */
  stopAtGoal: StopAtGoal;
  /** Loads what draws the lab's small picture; null if the lab has none. */
  loadSmallPicture: () => Promise<SmallPicture | null>;
  /** Loads what a link can carry of this lab in addition to the run; null for nothing. */
  loadMoment: () => Promise<LabMoment | null>;
  /** Loads the module that has each lab's behaviours, race and duels. */
  loadRunParts: () => Promise<RunPartsModule>;
  /** What can be done with the runs that the browser keeps. */
  loadLibraryActions: () => Promise<LibraryActions>;
}

/** The lab screen that the tools belong to. */
export interface ToolsScreen extends TakenScreen {
  lab: LabInfo;
  draft: Draft;
  manifest: LabManifest | undefined;
  headline: () => Headline;
  view: (TakenScreen["view"] & Pick<LabView<AnyView>, "show">) | null;
  contenders: Contenders;
  overlays: Overlays;
  actions: ToolActions;
  cleanups: Cleanups;
  /** The tools are inserted before this element. */
  dock: HTMLElement;
}

export class LabTools {
  /** The panel of links and files, once it has been created. */
  share: Share | null = null;
  #tools: Tools;
  /** The settings panel, once it has been created. */
  #settings: SettingsPanel | null = null;
  /** The challenges, once they have been asked for. */
  #challenges: Promise<Challenges> | null = null;
  /** The challenge of the link that the page was opened with. */
  #linkedChallenge: LinkedChallenge | null = null;
  /** The link of a duel that the page was opened with. */
  #duel: RunRequest | null = null;

  /** `curves` is the content of the tab “Curves”. `picture` can be exported as a file. */
  constructor(
    readonly screen: ToolsScreen,
    curves: HTMLElement,
    readonly picture: HTMLElement,
    /** Sets these settings, and the others to their defaults. Then restarts the run if needed, or lets it go on. */
    readonly applySettings: (settings: Settings) => void,
  ) {
    this.#tools = new Tools(this.#list(curves));
    const { cleanups } = screen;
    cleanups.add(() => this.#tools.destroy());
    // Deferred, so that the work is split into short tasks that do not block the page.
    const timers = [
      setTimeout(() => {
        this.#place();
        if (this.#tools.chosen === null) void this.open("curves");
      }, SHOW_DELAY_MS),
      setTimeout(() => void this.openChallenges().catch(() => {}), CHALLENGES_DELAY_MS),
    ];
    cleanups.add(() => timers.forEach(clearTimeout));
  }

  /** The row of tabs. */
  get row(): HTMLElement {
    return this.#tools.row;
  }

  /** Chooses a tool. Resolves when its panel has been loaded, or has failed to load. */
  open(id: string): Promise<void> {
    return this.#tools.open(id);
  }

  /** Chooses a tool and brings it into sight. */
  async show(id: string): Promise<void> {
    this.#place();
    await this.#tools.show(id);
  }

  /** Opens the tab “Compare” with the duel of a link. */
  showDuel(request: RunRequest): void {
    this.#duel = request;
    this.#tools.renew("compare");
    void this.show("compare");
  }

  /** Opens the tab “Settings”. Moves the focus to the setting `name`, if it is given. */
  async showSettings(name?: string): Promise<void> {
    if (name === undefined) return this.show("settings");
    await this.open("settings");
    this.#settings?.reveal(name);
  }

  /** The challenges, loaded on demand. `link` is the one that the page was opened with; another one reloads them. */
  async openChallenges(link: LinkedChallenge | null = null): Promise<Challenges> {
    if (link && link.text !== this.#linkedChallenge?.text) {
      this.#linkedChallenge = link;
      void this.#challenges?.then(
        (before) => before.destroy(),
        () => {}, // they could not be loaded
      );
      this.#challenges = null;
      this.#tools.renew("challenges");
    }
    const loading = (this.#challenges ??= this.#loadChallenges(this.#linkedChallenge));
    try {
      return await loading;
    } catch (error) {
      if (this.#challenges === loading) this.#challenges = null; // so that the next call tries again
      throw error;
    }
  }

  async #loadChallenges(link: LinkedChallenge | null): Promise<Challenges> {
    const { lab, run, manifest, actions, cleanups } = this.screen;
    const [{ openChallenges }, own] = await Promise.all([import("./challenges/open"), manifest?.challenges?.()]);
    const tell = (text: string, buttons: NoticeAction[]) => actions.tell("challenge", text, buttons);
    const opened = openChallenges(lab, run, own?.challenges ?? [], link, tell, () => void this.show("challenges"));
    cleanups.add(() => opened.destroy());
    return opened;
  }

  /** Inserts the tools before the dock, unless they are in the page already. */
  #place(): void {
    const { row, panels } = this.#tools;
    if (!panels.parentElement) this.screen.dock.before(row, panels);
  }

  /** The tools in the order of their tabs. */
  #list(curves: HTMLElement): Tool[] {
    const { lab, run, draft, headline, manifest, actions, contenders, overlays, cleanups } = this.screen;
    return [
      { id: "curves", title: "Curves", create: () => ({ element: curves }) },
      {
        id: "settings",
        title: "Settings",
        create: async () => {
          const { SettingsPanel } = await import("./settings-panel");
          return (this.#settings = run.collect(cleanups, () => new SettingsPanel(draft, actions.restart)));
        },
      },
      {
        id: "compare",
        title: "Compare",
        create: async () => {
          const [{ ComparePanel }, drawn, demo, { loadDuel }] = await Promise.all([
            import("./compare/compare-panel"),
            actions.loadSmallPicture(),
            manifest?.demo?.(),
            actions.loadRunParts().then(({ loadRunParts }) => loadRunParts(lab.about.id)),
          ]);
          const small = drawn ? { picture: drawn.picture, stageDemo: demo?.stageDemo } : null;
          return new ComparePanel(draft, contenders, actions.stopAtGoal, small, loadDuel, this.#duel);
        },
      },
      {
        id: "runs",
        title: "Runs",
        create: async () => {
          const { RunLibrary } = await import("./library");
          const screen = { lab, run, headline, contenders, overlays, tools: this };
          return new RunLibrary(screen, await actions.loadLibraryActions());
        },
      },
      { id: "challenges", title: "Challenges", create: () => this.#createChallenges() },
      { id: "share", title: "Share", more: " and save", create: () => this.#createShare() },
    ];
  }

  async #createChallenges(): Promise<ToolPanel> {
    const [challenges, { ChallengesPanel }] = await Promise.all([this.openChallenges(), import("./challenges/panel")]);
    const { draft, actions, manifest } = this.screen;
    const startWith = (settings: Settings) => {
      this.applySettings(settings);
      // If changes need a restart, it has just been requested. The draft lists them until the new run is open.
      actions.stopAtGoal.ignoreGoal({ ofNextRun: draft.changesNeedingRestart().length > 0 ? settings : null });
    };
    const show = (text: string, settings: Settings) => {
      actions.stopAtGoal.ignoreGoal({ ofNextRun: settings });
      this.screen.view?.show?.(text);
    };
    return new ChallengesPanel(challenges, startWith, show, manifest?.lesson !== undefined);
  }

  /** Links and files, and below them the export of the picture and the curves. */
  async #createShare(): Promise<ToolPanel> {
    const { run, draft, actions, cleanups } = this.screen;
    const [{ Share: Created }, { TakeOut }] = await Promise.all([import("./share"), import("./take-out/take-out")]);
    const share = run.collect(cleanups, () => new Created(draft, actions, this.screen));
    this.share = share;
    return { element: el("div", {}, share.element, new TakeOut(this.screen, this.picture).element) };
  }
}
