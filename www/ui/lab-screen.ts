// The screen of a lab: its picture, beside it the goal panel and the dials (in a narrow window in a sheet), then the
// tools (charts, settings, comparison, files), whose tabs stay in sight, and the dock with the run controls, which stays
// at the lower edge of the window. The picture itself comes from the lab's view module (www/labs/<lab>/view.ts).

import { Cleanups } from "../core/cleanups";
import { Contenders } from "../core/contenders";
import { el, markPage, publishHeight, watchVisible, write } from "../core/dom";
import { Draft } from "../core/draft";
import { LookBack } from "../core/look-back";
import type { Moments } from "../core/moments";
import type { Device } from "../core/bundle";
import type { Settings } from "../core/link";
import { ShownTest } from "../core/shown-test";
import { bringIntoSight } from "../core/into-sight";
import { ViewLoop } from "../core/view-loop";
import type { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import type { LabInfo } from "../generated/protocol";
import type { LabManifest } from "./lab-manifest";
import type { LabView, OpenFile, Restart, ViewModule } from "./lab-view";
import { Overlays } from "../core/overlays";
import type { PicturePlace } from "./past-picture";
import { Curves } from "./curves";
import { Dials } from "./dials";
import { GoalPanel } from "./goal";
import { guessSign } from "./guess-sign";
import { Guide } from "./guide";
import { headlineOf, type Headline } from "./headline";
import type { Introduction } from "./introduction";
import { LabTools, type ToolActions } from "./lab-tools";
import { NARROW_QUERY } from "./narrow";
import { StatusLine } from "./status-line";
import { StoryLine } from "./story-line";
import { RunControls } from "./run-controls";
import { Sheet } from "./sheet";
import { stopChoice } from "./stop-choice";
import { SuggestionList } from "./suggestion-list";
import { withTerms } from "./term";
import type { BranchPoint, Timeline } from "./timeline";
import { TimelinePlace } from "./timeline-place";

export interface ScreenActions extends ToolActions {
  /** Continues the run of a checkpoint file. Returns whether it was opened. */
  openFile: OpenFile;
  /** Moves the run to another device, and resolves when that is done or has failed. */
  useDevice: (device: Device) => Promise<void>;
  loadMoments: () => Promise<Moments>;
  /** Starts a new run from a moment of the open one. */
  branch: (from: BranchPoint) => Promise<void>;
}

export class LabScreen {
  readonly element: HTMLElement;
  /** The bar at the lower edge of the window with the run controls and the notices, and the sheet above them. */
  readonly dock: HTMLElement;
  readonly draft: Draft;
  readonly controls: RunControls;
  readonly statusLine: StatusLine;
  /** The lab's own part of the screen; null if the lab has none. */
  readonly view: LabView<AnyView> | null;
  #picture = el("div", { class: "picture" });
  #words = el("div", { class: "words" });
  #caption = el("p", { class: "caption" });
  #warning = el("p", { class: "warning", role: "status", hidden: true });
  #curves: Curves;
  #guide: Guide | null;
  #dials: Dials;
  #stopChoice: HTMLElement;
  /** The id of the run that was opened last. */
  #openedId = "";
  /** The column beside the picture; in a narrow window its parts stand above and below the picture. */
  #side = el("div", { class: "lab-side" });
  /** Holds the dials in a narrow window. */
  #sheet: Sheet;
  #narrow = matchMedia(NARROW_QUERY);
  /** Where a replay says how far it is. */
  #replayPlace = el("div", {});
  /** The earlier moment that the visitor looks back at. */
  readonly lookBack: LookBack;
  /** The test that sentence, score, curve and dock show. */
  readonly shown: ShownTest;
  #timeline: TimelinePlace;
  #viewLoop: ViewLoop | null = null;
  /** What a link tells of its sender's agent, while that is shown; null for nothing. */
  #sender: Introduction | null = null;
  /** What a link asks the view to show, until the run is open. */
  #toShow: string | null = null;
  #inSight = false;
  /** The card that covers the picture, if any. */
  #card: { element: HTMLElement; destroy: () => void } | null = null;
  readonly tools: LabTools;
  /** The runs that are compared. */
  readonly contenders = new Contenders();
  /** Curves of other runs over the large chart. */
  readonly overlays = new Overlays();

  /** Creates the screen. Its parts' subscriptions to the run end with it. */
  static create(
    lab: LabInfo,
    run: Run,
    module: ViewModule<AnyView> | null,
    manifest: LabManifest | undefined,
    actions: ScreenActions,
  ): LabScreen {
    const cleanups = new Cleanups();
    return run.collect(cleanups, () => new LabScreen(cleanups, lab, run, module, manifest, actions));
  }

  private constructor(
    readonly cleanups: Cleanups,
    readonly lab: LabInfo,
    readonly run: Run,
    readonly module: ViewModule<AnyView> | null,
    /** The parts of the lab that are loaded when they are wanted. */
    readonly manifest: LabManifest | undefined,
    readonly actions: ScreenActions,
  ) {
    const { about } = lab;
    run.usePace(module?.pace);
    this.draft = new Draft(lab, run);
    this.#sheet = new Sheet("Dials", "dials", (open) => this.#sheetToggled(open));
    this.lookBack = new LookBack(run);
    this.shown = new ShownTest(run, this.lookBack, () => [this.headline(), this.introduction()]);
    this.#dials = new Dials(this.draft, actions.restart, (name) => this.#showSettings(name));
    this.#stopChoice = stopChoice(run, actions.stopAtGoal);
    this.statusLine = new StatusLine(lab, run, actions.stopAtGoal, actions.useDevice);
    const applySettings = this.#applySettings;
    const restart: Restart = (settings) => {
      if (settings) this.draft.usePreset(settings, { atRestart: true });
      actions.restart();
    };
    this.view = module?.open(run, restart, actions.openFile) ?? null;
    this.controls = new RunControls(this.shown, this.draft, actions.restart, this.headline, this.#sheet.button);
    this.#curves = new Curves(lab, run, this.shown, this.overlays, this.headline);
    if (this.view) this.#picture.append(this.view.element);
    else this.#picture.append(el("p", { class: "card quiet", text: about.picture }));
    const { headline, introduction, shown } = this;
    const suggestions = new SuggestionList(shown, manifest?.suggestions, this, applySettings);
    const goal = new GoalPanel(shown, headline, introduction, this.#curves.main, suggestions.element);
    this.#picture.append(goal.pill);
    const estimates = this.view?.estimates;
    if (estimates) this.#picture.append(guessSign(shown, headline, () => introduction() !== null, estimates));
    // What to try next after a verdict needs the room that the story line keeps free.
    const makeRoom = () => this.#side.classList.toggle("settled", !goal.pill.hidden);
    shown.on("changed", makeRoom);
    makeRoom();
    const title = el("div", { class: "lab-title" }, el("h1", { text: about.title }));
    const offered = (shown: boolean) => title.classList.toggle("offers-tour", shown);
    this.#guide = manifest?.tour ? new Guide(this, manifest.tour, offered) : null;
    if (this.#guide) title.append(this.#guide.button);
    const recorded = module?.recordedRuns ?? {};
    const story = module ? new StoryLine(shown, module.story, recorded, headline, introduction) : null;
    this.#timeline = new TimelinePlace(run, () => this.#createTimeline(actions));
    this.dock = el("div", { class: "dock-place" }, this.#sheet.element, this.controls.element);
    // Its buttons may need two rows, and higher ones for fingers.
    cleanups.add(publishHeight(this.dock, "--dock-height"));
    const head = el(
      "div",
      { class: "lab-head" },
      title,
      // The name of the lab may be a term too, in another sense.
      el("p", { class: "tagline" }, ...withTerms(about.tagline, about.id, new Set([about.title.toLowerCase()]))),
      // Above the story, whose sentences grow with the first results: a button must not move under a finger.
      this.#guide?.offer,
      story?.element,
    );
    this.#side.append(head, goal.element);
    const main = el(
      "div",
      { class: "lab-main" },
      this.view?.choice,
      this.#replayPlace,
      this.#picture,
      this.#timeline.element,
      this.view && this.#caption,
      this.statusLine.element,
      this.#warning,
    );
    const top = el("div", { class: "lab-top" }, this.#side, main, this.#words);
    this.#describe();
    this.element = el("article", { class: "lab" }, top, this.dock);
    this.#placeDials();
    const narrowChanged = () => this.#placeDials();
    this.#narrow.addEventListener("change", narrowChanged);
    cleanups.add(() => this.#narrow.removeEventListener("change", narrowChanged));
    this.tools = new LabTools(this, this.#curves.element, this.#picture, applySettings);
    this.#listen();
  }

  /** The headline of the run in the shown test. */
  readonly headline = (): Headline => headlineOf(this.run, this.view, (metric) => this.shown.last(metric));

  /** What is said of a trained network that the visitor has before them; null for the agent of the run. */
  readonly introduction = (): Introduction | null =>
    this.lookBack.unit === null ? (this.#sender ?? this.view?.introduction?.() ?? null) : null;

  /** Says what a link tells of its sender's agent, in the place of the run's story and score; null ends that. */
  showSender(sender: Introduction | null): void {
    this.#sender = sender;
    this.shown.refresh();
  }

  /** Sets these settings, and the others to their defaults. Restarts if one of the changes needs it. */
  #applySettings = (settings: Settings): void => {
    this.draft.usePreset(settings);
    if (this.draft.changesNeedingRestart().length > 0) this.actions.restart();
    else this.run.play();
  };

  async #createTimeline(actions: ScreenActions): Promise<Timeline> {
    const { run, draft, lookBack, shown, headline, picturePlace: place } = this;
    const [{ Timeline: Created }, moments] = await Promise.all([import("./timeline"), actions.loadMoments()]);
    return new Created({ run, draft, lookBack, shown, moments, headline, place, actions, manifest: this.manifest });
  }

  /** The place of the picture, for another one in its stead. */
  get picturePlace(): PicturePlace {
    const { view, module, actions } = this;
    const hidePresent = (hidden: boolean) => {
      if (view) view.element.hidden = hidden;
      view?.lookBack?.(hidden);
      this.#updateSight();
    };
    return { element: this.#picture, module, openFile: actions.openFile, hidePresent };
  }

  /** Tells the story of the run with a remark before it, which may be empty, as soon as there is a timeline. */
  tellStory(remark: string): void {
    this.#timeline.tellStory(remark);
  }

  /** Requests views only while the picture of the open run can be seen. */
  #updateSight(): void {
    if (this.#viewLoop) this.#viewLoop.visible = this.#inSight && !this.view?.element.hidden;
  }

  /** Whether the tour is under way. */
  get isGuided(): boolean {
    return this.#guide?.isOpen ?? false;
  }

  readonly tourToggled = (): void => this.actions.stopAtGoal.moved();

  /** Puts the dials, the switch for the goal, the steps and the fine control of the speed where there is room. */
  #placeDials(): void {
    const dials = this.#dials.element;
    const { finePlace, speed, play, steps } = this.controls;
    this.#sheet.close();
    if (this.#narrow.matches) {
      this.#sheet.content.append(speed.fine, steps, this.#stopChoice, dials);
    } else {
      play.after(steps);
      finePlace.append(speed.fine);
      this.#side.append(this.#stopChoice, dials);
    }
  }

  /** Makes room for the sheet: the picture moves to the upper edge of the window. */
  #sheetToggled(open: boolean): void {
    this.element.classList.toggle("sheet-open", open);
    markPage("has-sheet", open);
    if (open) bringIntoSight(this.#picture, "start");
  }

  /** Shows all settings, and moves the focus to one if it is given. */
  #showSettings(name?: string): void {
    this.#sheet.close();
    void this.tools.showSettings(name);
  }

  /** Hands a text of a link to the view as soon as the run is open (see `showWaiting`); nothing for null. */
  showWhenOpen(text: string | null): void {
    this.#toShow = text;
  }

  /** A run was opened. */
  opened(): void {
    // Another run begins at the top of the column; a run that moves to another worker does not move it.
    const { id } = this.run.note;
    if (id !== this.#openedId) this.#side.scrollTop = 0;
    this.#openedId = id;
    this.view?.opened();
    if (this.view?.aboutWords) this.#describe();
    this.showWaiting();
  }

  /** Writes what is said about the lab. */
  #describe(): void {
    const { about } = this.lab;
    // The run that is described is open; before, nothing depends on its settings yet.
    const words = (this.run.open && this.view?.aboutWords?.(about)) || about;
    const { agent = about.agent, goal, picture } = words;
    /** The words that have been explained: each is marked once on the screen. */
    const known = new Set<string>();
    const explained = (text: string) => withTerms(text, about.id, known);
    const paragraph = (title: string, text: string) =>
      el("div", {}, el("h2", { text: title }), el("p", {}, ...explained(text)));
    this.#words.replaceChildren(paragraph("The agent", agent), paragraph("The goal", goal));
    this.#caption.replaceChildren(el("b", { text: "What you see. " }), ...explained(picture));
  }

  /** Shows what a link has asked for, if the run is open. */
  showWaiting(): void {
    if (this.#toShow === null || !this.run.open) return;
    this.view?.show?.(this.#toShow);
    this.#toShow = null;
  }

  #listen(): void {
    const { run, view } = this;
    run.on("opened", () => this.opened());
    run.on("solved", () => view?.celebrate());
    run.on("diverged", (diverged) => {
      this.#warning.hidden = !diverged;
      write(
        this.#warning,
        diverged
          ? "Training diverged: the updates became so large that its losses are no longer numbers (NaN). Lower the learning rate and restart."
          : "",
      );
    });
    if (!view) return;
    this.#viewLoop = new ViewLoop(run, (data, seconds) => view.draw(data, seconds));
    const watch = (visible: boolean) => {
      this.#inSight = visible;
      this.#updateSight();
    };
    this.cleanups.add(watchVisible(this.#picture, watch));
  }

  /** Shows the line of a replay above the picture. */
  showReplay(line: HTMLElement): void {
    this.#replayPlace.replaceChildren(line);
  }

  /** Covers the picture with a card and disables the run controls; null ends that. */
  cover(card: { element: HTMLElement; destroy: () => void } | null): void {
    this.#card?.element.remove();
    this.#card?.destroy();
    this.#card = card;
    this.#picture.classList.toggle("covered", card !== null);
    this.controls.inert = card !== null;
    if (!card) return;
    card.element.classList.add("over");
    this.#picture.append(card.element);
  }

  destroy(): void {
    markPage("has-sheet", false);
    this.cover(null);
    this.#timeline.destroy();
    this.#viewLoop?.stop();
    this.#curves.destroy();
    this.shown.destroy();
    this.#guide?.destroy();
    this.view?.destroy();
    this.cleanups.run();
  }
}
