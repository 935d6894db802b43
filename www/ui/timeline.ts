// The timeline below the picture: the headline's metric over the whole run, as a slider. Moved back, it shows the agent
// as it was: the picture in a second worker, the metrics and the curves at that unit (training iteration). From there a
// new run can branch. The open run goes on meanwhile.

import { Cleanups } from "../core/cleanups";
import { button, el, hasModifier, listen, markPage, publishHeight, watchVisible, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { formatCount, formatInteger, sentenceEnd, sentenceStart, withUnit } from "../core/format";
import { settingTitle, valueLabel } from "../core/labels";
import type { Settings } from "../core/link";
import type { LookBack } from "../core/look-back";
import type { ShownTest } from "../core/shown-test";
import { MAX_RUN_BYTES } from "../core/moment-schedule";
import type { Moments } from "../core/moments";
import { PastRun, type PastState } from "../core/past-run";
import type { Run } from "../core/run";
import { whyNoStory } from "../core/story/enough";
import { headlineValue, type Headline } from "./headline";
import type { LabManifest } from "./lab-manifest";
import type { LabMoment } from "./lab-moment";
import { PastPicture, type PicturePlace } from "./past-picture";
import type { Race } from "./race";
import type { RunParts, RunPartsModule } from "./run-parts";
import type { SmallPicture } from "./small-picture/picture";
import { TimelineChart } from "./timeline-chart";
import "../style/timeline.css";

/** Where a new run begins. */
export interface BranchPoint {
  /** The checkpoint at that unit. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The unit (training iteration) of the open run at which the new one begins. */
  units: number;
  /** Running time of the run until that unit. */
  seconds: number;
  /** Live settings that the new run shall have instead of those at that unit. */
  settings: Settings;
  /** Another seed for the new run; null to go on with the seed at that unit. */
  seed: number | null;
}

interface TimelineOptions {
  run: Run;
  draft: Draft;
  lookBack: LookBack;
  /** The test of the run that the page shows. */
  shown: ShownTest;
  moments: Moments;
  headline: () => Headline;
  place: PicturePlace;
  actions: {
    /** Starts a new run from a moment of the open one. */
    branch: (from: BranchPoint) => Promise<void>;
    /** What the story of a run needs of the lab. */
    loadSmallPicture: () => Promise<SmallPicture | null>;
    loadMoment: () => Promise<LabMoment | null>;
    loadRunParts: () => Promise<RunPartsModule>;
  };
  manifest: LabManifest | undefined;
}

/** The slider jumps to a kept moment, or to the present, if the pointer is this close to it. In CSS pixels. */
const SNAP_PIXELS = 6;
/** Shortest time between two redraws while the run goes on. */
const REDRAW_MS = 250;
/** Page Up and Page Down move the handle by this fraction of the run. */
const PAGE_FRACTION = 0.1;

export class Timeline {
  readonly element: HTMLElement;
  #chart = new TimelineChart();
  #slider = el("div", { class: "timeline-slider", role: "slider", tabindex: 0, "aria-label": "Moment of the run" });
  #text = el("span", { class: "timeline-text num" });
  #note = el("span", { class: "timeline-note", role: "status" });
  #back = button("Back to now", () => this.#end(true), { class: "small" });
  #branch = button("Branch here", () => void this.#branchHere(), { class: "small primary" });
  #story = button("Story of this run", () => this.tellStory(), { class: "small" });
  /** The lab's race against the agent; null if it has none, or before it is loaded. */
  #race: Race | null = null;
  #raceButton = button("Race the agent", () => this.#openRace(), { class: "small" });
  /** Why the story was not told when it was asked for; empty otherwise. */
  #storyProblem = "";
  /** Why a story or a race could not be loaded; empty otherwise. */
  #loadProblem = "";
  /** Ends the story or the race that is open, or still loading; null for none. */
  #dialog: AbortController | null = null;
  #past: PastRun | null = null;
  #picture: PastPicture | null = null;
  #dragging = false;
  #branching = false;
  #visible = true;
  #drawnAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups = new Cleanups();

  constructor(readonly options: TimelineOptions) {
    const { run, draft, moments } = options;
    this.#slider.append(this.#chart.element);
    this.element = el(
      "section",
      { class: "timeline", "aria-label": "Timeline" },
      this.#slider,
      el(
        "div",
        { class: "timeline-row" },
        el("p", { class: "timeline-words" }, this.#text, " ", this.#note),
        el("div", { class: "timeline-actions" }, this.#raceButton, this.#story, this.#back, this.#branch),
      ),
    );
    this.#listen();
    this.#cleanups.add(
      run.on("progress", () => this.#schedule()),
      run.on("opened", () => {
        this.#end(false);
        this.#closeDialog(); // it is about the run before
      }),
      run.on("failed", () => this.#end(false)),
      run.on("device", () => this.#end(false)),
      draft.on("changed", () => this.#schedule()),
      moments.on("changed", () => this.#schedule()),
      publishHeight(this.element, "--timeline-shown"),
      watchVisible(this.element, (visible) => {
        this.#visible = visible;
        if (visible) this.#draw();
      }),
    );
    // Another screen may follow, such as with the browser's Back.
    addEventListener("hashchange", this.#closeDialog);
    this.#draw();
    // Without a network there is no race.
    void this.#loadParts().then(
      ({ race }) => {
        this.#race = race;
        this.#schedule();
      },
      () => {},
    );
  }

  destroy(): void {
    this.#end(false);
    removeEventListener("hashchange", this.#closeDialog);
    this.#closeDialog();
    clearTimeout(this.#timer);
    this.#cleanups.run();
    this.#chart.destroy();
  }

  #listen(): void {
    listen(this.#slider, {
      pointerdown: (event) => {
        if (event.button !== 0) return;
        this.#slider.setPointerCapture(event.pointerId);
        this.#dragging = true;
        this.#drag(event);
      },
      pointermove: (event) => this.#dragging && this.#drag(event),
      pointerup: () => this.#drop(),
      pointercancel: () => this.#drop(),
      keydown: (event) => this.#handleKey(event),
    });
  }

  /** Moves the handle to the pointer. What was not kept is repeated when the pointer is released. */
  #drag({ clientX }: PointerEvent): void {
    const { moments, run } = this.options;
    const at = this.#chart.unitAt(clientX);
    const reachUnits = SNAP_PIXELS * this.#chart.unitsPerPixel;
    const stops = [...moments.list.map(({ units }) => units), run.progress.units];
    const nearest = stops.reduce((best, unit) => (Math.abs(unit - at) < Math.abs(best - at) ? unit : best), Infinity);
    this.#show(Math.abs(nearest - at) <= reachUnits ? nearest : Math.round(at), false);
  }

  #drop(): void {
    if (!this.#dragging) return;
    this.#dragging = false;
    const { unit } = this.options.lookBack;
    if (unit !== null) this.#show(unit, true);
  }

  #handleKey(event: KeyboardEvent): void {
    const { moments, run, lookBack } = this.options;
    const now = run.progress.units;
    const at = lookBack.unit ?? now;
    const stops = [moments.first ?? now, ...moments.list.map(({ units }) => units), now];
    const next = () => stops.find((unit) => unit > at) ?? now;
    const previous = () => stops.findLast((unit) => unit < at) ?? at;
    const page = Math.max(1, Math.round(PAGE_FRACTION * now));
    const targets: Record<string, () => number> = {
      ArrowRight: () => (event.shiftKey ? at + 1 : next()),
      ArrowUp: () => (event.shiftKey ? at + 1 : next()),
      ArrowLeft: () => (event.shiftKey ? at - 1 : previous()),
      ArrowDown: () => (event.shiftKey ? at - 1 : previous()),
      PageUp: () => at + page,
      PageDown: () => at - page,
      Home: () => 0,
      End: () => now,
      Escape: () => now,
    };
    const target = targets[event.key];
    if (!target || hasModifier(event)) return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys also push in the picture
    this.#show(target(), true);
  }

  /**
   * Looks back at a unit, or at the present if it is not in the past. With `replay`, a unit that was not kept is
   * repeated from the moment kept before it; otherwise that moment is shown.
   */
  #show(units: number, replay: boolean): void {
    const { run, moments, lookBack } = this.options;
    const { first } = moments;
    if (!run.open || first === null || this.#branching) return;
    if (units >= run.progress.units) {
      this.#end(false);
      return;
    }
    this.#past ??= this.#startPast();
    const wanted = Math.max(first, units);
    const shown = this.#past.canReplay ? wanted : (moments.before(wanted)?.units ?? first);
    lookBack.set(shown);
    markPage("looking-back", true);
    this.#past.goTo(shown, replay);
    this.#draw();
  }

  #startPast(): PastRun {
    const { run, moments } = this.options;
    const past = new PastRun(run, moments);
    past.on("changed", (state) => this.#follow(past, state));
    return past;
  }

  /** Shows how far the past run is. */
  #follow(past: PastRun, state: PastState): void {
    const { place, draft, lookBack } = this.options;
    lookBack.past = state.kind === "there" && state.units === lookBack.unit ? past.run : null;
    if (past.run.open) this.#picture ??= new PastPicture(place, past.run);
    if (state.kind === "there") draft.lookBack(past.run);
    if (state.kind === "failed") {
      this.#picture?.destroy();
      this.#picture = null;
    }
    this.#draw();
  }

  /** Goes back to the present and frees the second worker. */
  #end(focus: boolean): void {
    const { lookBack, draft } = this.options;
    if (lookBack.unit === null) {
      this.#schedule();
      return;
    }
    this.#picture?.destroy();
    this.#past?.close();
    this.#picture = this.#past = null;
    markPage("looking-back", false);
    draft.lookBack(null);
    lookBack.set(null);
    this.#draw();
    if (focus) this.#slider.focus({ preventScroll: true });
  }

  /** Why there is no story of the run yet, as a sentence; empty if there can be one. */
  #whyNoStory(): string {
    const { run, moments, headline } = this.options;
    if (!run.open || moments.first === null) return "Nothing of this run has been kept yet, so it has no story.";
    return whyNoStory(run.series, headline().metric);
  }

  /** Tells the story of the run with a remark before it, or says why there is none yet. */
  tellStory(remark = ""): void {
    this.#end(false);
    this.#storyProblem = this.#whyNoStory();
    if (this.#storyProblem === "") void this.#openDialog("story", (signal) => this.#openStory(signal, remark));
    this.#draw();
  }

  async #openStory(signal: AbortSignal, remark: string): Promise<void> {
    const { run, moments, headline, actions, manifest } = this.options;
    const [{ openStory }, small, own, demo, behaviour] = await Promise.all([
      import("./run-story/open"),
      actions.loadSmallPicture(),
      actions.loadMoment(),
      manifest?.demo?.(),
      this.#loadParts().then(({ loadBehaviour }) => loadBehaviour()),
    ]);
    await openStory({ run, moments, headline: headline(), small, own, demo, behaviour, remark }, signal);
  }

  /** Opens a story or a race, but not a second one; `open` resolves when it is closed. */
  async #openDialog(what: "story" | "race", open: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#dialog) return;
    this.#loadProblem = "";
    const dialog = (this.#dialog = new AbortController());
    try {
      await open(dialog.signal);
    } catch {
      if (dialog.signal.aborted) return;
      this.#loadProblem = `The ${what} could not be loaded. Check the network connection.`;
      this.#draw();
    } finally {
      if (this.#dialog === dialog) this.#dialog = null;
    }
  }

  #closeDialog = (): void => {
    this.#dialog?.abort();
    this.#dialog = null;
  };

  async #loadParts(): Promise<RunParts> {
    const { run, actions } = this.options;
    return (await actions.loadRunParts()).loadRunParts(run.lab?.about.id ?? "");
  }

  #openRace(): void {
    const race = this.#race;
    if (race) void this.#openDialog("race", (signal) => race.open(this.options.run, signal));
  }

  async #branchHere(): Promise<void> {
    const { draft, actions } = this.options;
    if (!this.#past || this.#branching) return;
    this.#branching = true;
    this.#draw();
    try {
      const { bytes, units, seconds } = await this.#past.checkpoint();
      await actions.branch({ bytes, units, seconds, ...draft.changesForBranch() });
      this.#end(true);
    } catch (error) {
      write(this.#note, `The branch could not be started: ${sentenceEnd((error as Error).message)}`);
    } finally {
      this.#branching = false;
      this.#schedule();
    }
  }

  /** Draws soon, at most every REDRAW_MS. */
  #schedule(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#drawnAt + REDRAW_MS - performance.now());
    this.#timer = setTimeout(() => this.#draw(), wait);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    const { run, moments, lookBack } = this.options;
    const headline = this.options.headline();
    const { units: end, solvedAt } = run.progress;
    const shown = lookBack.unit ?? end;
    if (this.#visible) {
      this.#chart.draw({
        units: run.series.units,
        values: run.series.column(headline.metric),
        end,
        goal: headline.target,
        solvedAt,
        moments: moments.list.map(({ units }) => units),
        branchedAt: run.note.parent?.units ?? null,
        shown,
      });
    }
    this.#drawSlider(shown, end, this.#headlineText(headline));
    this.#drawWords();
  }

  /** The headline at the shown unit, with its name. */
  #headlineText(headline: Headline): string {
    const { run, shown } = this.options;
    const last = (metric: string) => shown.last(metric);
    if (!Number.isFinite(last(headline.metric))) return "";
    const value = `${headline.name} ${withUnit(headlineValue(headline, run.series, last), headline.unit)}`;
    // Between two tests, the value is that of the one before.
    const measured = shown.unitOf(headline.metric);
    const { unit } = this.options.lookBack;
    const isEarlier = run.goal && measured !== null && unit !== null && measured !== unit;
    return isEarlier ? `${value} (test at ${run.lab?.about.unit ?? "unit"} ${formatInteger(measured)})` : value;
  }

  #drawSlider(shown: number, end: number, headlineText: string): void {
    const { run, moments, lookBack } = this.options;
    const where = lookBack.label || `now, ${run.lab?.about.unit ?? "unit"} ${end}`;
    const attributes = {
      "aria-valuemin": String(moments.first ?? end),
      "aria-valuemax": String(end),
      "aria-valuenow": String(shown),
      "aria-valuetext": [where, headlineText].filter(Boolean).join(", "),
      "aria-disabled": String(moments.first === null),
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (this.#slider.getAttribute(name) !== value) this.#slider.setAttribute(name, value);
    }
    const isLookingBack = lookBack.unit !== null;
    write(
      this.#text,
      isLookingBack ? sentenceEnd(sentenceStart([where, headlineText].filter(Boolean).join(": "))) : "",
    );
    this.element.classList.toggle("looks-back", isLookingBack);
    this.#back.hidden = this.#branch.hidden = !isLookingBack;
    this.#story.hidden = isLookingBack || end === 0;
    this.#raceButton.hidden = isLookingBack || !this.#race?.allows(run.settings);
    const why = this.#whyNoStory();
    this.#story.setAttribute("aria-disabled", String(why !== ""));
    this.#story.title = why || "The moments of this run that mattered, in half a minute";
    if (why === "") this.#storyProblem = "";
  }

  #drawWords(): void {
    const { run, lookBack } = this.options;
    const unit = run.lab?.about.unit ?? "unit";
    const state = lookBack.unit === null ? null : (this.#past?.state ?? null);
    const isThere = state?.kind === "there" && state.units === lookBack.unit;
    this.#branch.disabled = !isThere || this.#branching;
    const { settings, seed } = this.options.draft.changesForBranch();
    const changes = Object.entries(settings).map(
      ([name, value]) => `${settingTitle(run.lab, name)} ${valueLabel(value)}`,
    );
    const changesText = [...changes, ...(seed === null ? [] : [`seed ${seed}`])].join(", ");
    write(this.#branch, changesText === "" ? "Branch here" : `Branch with ${changesText}`);
    this.#branch.title = `Starts a new run from here. This one stays as it is${run.progress.running ? ", saved" : ""}.`;
    if (!state) {
      write(this.#note, this.#presentNote());
      return;
    }
    const shown = "units" in state ? state.units : lookBack.unit;
    const rest = isThere ? `of ${run.progress.units}, as it was` : `on the way to ${lookBack.unit}`;
    this.#picture?.label(`${sentenceStart(unit)} ${shown}${isThere ? " " : ", "}${rest}`);
    write(this.#note, this.#pastNote(state, unit));
  }

  /** What the line below the slider says while the present is shown. */
  #presentNote(): string {
    const { run, moments } = this.options;
    const unit = run.lab?.about.unit ?? "unit";
    if (run.progress.units === 0) return "";
    const problem = this.#storyProblem || this.#loadProblem;
    if (problem) return problem;
    if (moments.first === null) return "Nothing of this run has been kept yet, so it cannot be looked back at.";
    const { parent } = run.note;
    const branched = parent ? `Branched at ${unit} ${parent.units}. ` : "";
    const size = `${(moments.ownBytes / 1e6).toFixed(1)} of ${MAX_RUN_BYTES / 1e6} MB`;
    const kept = moments.list.length > 0 ? ` ${formatCount(moments.list.length, "moment")} kept (${size}).` : "";
    return `${branched}Timeline: drag to see the agent as it was.${kept} ${moments.problem}`.trim();
  }

  /** What the line below the slider says while an earlier moment is shown. */
  #pastNote(state: PastState, unit: string): string {
    const gpuNote = this.#past?.canReplay ? "" : " Runs on a GPU can be seen only as they were kept.";
    switch (state.kind) {
      case "opening":
        return "Opening it …";
      case "replaying": {
        const left = state.target - state.units;
        return `Replaying ${formatCount(left, unit)} from the moment kept before …`;
      }
      case "failed":
        return `The earlier agent cannot be shown: ${sentenceEnd(state.message)}`;
      case "there":
        return state.same
          ? gpuNote.trim()
          : "Replaying it gave other values than the run has measured, so the picture shows another agent with the same settings.";
    }
  }
}
