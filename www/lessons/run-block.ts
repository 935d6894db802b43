// `@run` on the page: one run with the lab's picture, as an embed shows it (embed/player.ts), the curve of a metric, and
// the settings that the lesson lets the reader change, its dials (dials.ts).

import type { BundleChoice } from "../core/bundle";
import { button, el, write } from "../core/dom";
import { Draft } from "../core/draft";
import { formatCount, formatNumber, sentenceStart } from "../core/format";
import { changedSettings, defaultRequest, type Settings } from "../core/link";
import { metricLabel } from "../core/labels";
import { marginName } from "../core/series";
import type { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import { chosenWords } from "../class/measured";
import type { JsonValue } from "../generated/protocol";
import type { Part } from "../embed/parameters";
import { Player } from "../embed/player";
import { Chart } from "../ui/chart";
import type { ViewModule } from "../ui/lab-view";
import { Dials, Tries } from "./dials";
import type { RunPart } from "./format";
import { waitsFor } from "./gate";
import type { RunResult } from "./measures";
import { resultOfRun, seriesOf, wasChanged } from "./outcome";
import type { LessonState } from "./state";
import { SteppedRun } from "./stepped-run";
import { marginOf, metricWords } from "./values";

/** Shortest time between two redraws. */
const REDRAW_MS = 250;

export class RunBlock {
  readonly element: HTMLElement;
  #place = el("div", { class: "lesson-player" });
  #status = el("p", { class: "lesson-status", role: "status" });
  #player: Player | null = null;
  #draft: Draft | null = null;
  #chart: Chart | null = null;
  #dials: Dials | null = null;
  #tries = new Tries();
  #apply = button("Start again with these settings", () => this.#restart(), { class: "small apply", disabled: true });
  #dialBox = el("div", { class: "lesson-dials", hidden: true });
  /** The chart. It has its height before the run is open, so that what is below does not move (layout shift). */
  #chartBox = el("div", { class: "chart-room" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the run has begun and has not ended. */
  #isTraining = false;
  /** Whether the open run has been paused at its goal. That is done once: if the reader lets it go on, it goes on. */
  #stoppedAtGoal = false;
  #unsubscribe: () => void;

  constructor(
    readonly part: RunPart,
    readonly state: LessonState,
    readonly bundle: BundleChoice,
    readonly module: ViewModule<AnyView> | null,
    /** The command that gives the lab a text of the lesson to learn, before the first iteration; null for none. */
    readonly data: JsonValue | null,
  ) {
    this.element = el(
      "section",
      { class: "lesson-run" },
      el("h3", { text: part.title }),
      this.#place,
      this.#dialBox,
      this.#chartBox,
      this.#status,
      this.#tries.element,
    );
    this.#dialBox.style.setProperty("--dials", String(part.dials.length));
    this.#place.addEventListener("click", this.#applyOnStart, { capture: true });
    this.#unsubscribe = state.on("changed", () => this.#update());
    this.#update();
  }

  destroy(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    if (this.#timer !== undefined) this.#showAndStore(); // what was measured since the last redraw
    this.state.endTraining(this.#pause);
    this.#player?.destroy();
    this.#chart?.destroy();
  }

  #pause = (): void => this.#player?.pause();

  /** If the reader changed settings before pressing Start, starts a new run with them instead of the opened one. */
  #applyOnStart = (event: Event): void => {
    const isStart = event.target instanceof Element && event.target.closest(".embed-start, .embed-run") !== null;
    // Without a player nothing can be started anew.
    const { units = 1, work = 1 } = this.#player?.run.progress ?? {};
    if (!isStart || units > 0 || work > 0 || !this.#draft?.changesNeedingRestart().length) return;
    event.stopPropagation();
    this.#restart();
  };

  /** Shows the run once the predictions about it are made, and opens it then. */
  #update(): void {
    this.#tries.draw(this.state, this.part);
    const waits = waitsFor(this.state, this.part.name);
    const wasHidden = this.#place.hidden;
    // A reader who withdraws a prediction before the run begins has to make another one first.
    this.#place.hidden = waits !== "";
    this.#dialBox.hidden = waits !== "" || this.part.dials.length === 0;
    this.#chartBox.hidden = waits !== "" && !this.#player;
    if (waits !== "") write(this.#status, waits);
    else if (!this.#player) this.#open();
    else if (wasHidden) write(this.#status, this.#beginWords());
  }

  #open(): void {
    const { part, state, module, bundle, data } = this;
    const { lab } = state;
    const changes = data === null ? [] : [{ unit: 0, settings: {}, seed: null, data }];
    const settings = { ...part.settings, ...state.dials(part) };
    const request = { ...defaultRequest(lab), settings, seed: part.seed, changes };
    const embedParts = new Set<Part>([
      "caption",
      "goal",
      "run",
      "restart",
      ...(part.controls ? ["controls" as const] : []),
    ]);
    const options = {
      request,
      parts: embedParts,
      autoplay: false,
      pace: part.pace,
      theme: null,
      lang: "en",
      origin: null,
      problems: [],
    };
    // Recorded runs can be longer than this one, so the player must not describe this run by them.
    const moduleWithoutRecordings = module && { ...module, recordedRuns: {} };
    const player = (this.#player = new Player(
      options,
      moduleWithoutRecordings,
      bundle,
      new SteppedRun(bundle, part.units),
    ));
    player.lastUnit = part.units;
    this.#place.append(player.element);
    const { run } = player;
    run.on("opened", () => {
      this.#stoppedAtGoal = false;
      this.#opened();
    });
    run.on("progress", ({ running }) => {
      if (running && !this.#isTraining) state.beginTraining(part.name, this.#pause);
      if (!running && this.#isTraining) state.endTraining(this.#pause);
      this.#isTraining = running;
      this.#timer ??= setTimeout(() => this.#showAndStore(), REDRAW_MS);
    });
    run.on("configured", () => this.#drawDials());
    player.shown.on("changed", () => this.#drawChart(run));
    player.begin();
    write(this.#status, this.#beginWords());
  }

  /** The run is open: makes its curve and its dials, which need its settings. */
  #opened(): void {
    const { part, state } = this;
    const player = this.#player;
    if (!player) return;
    const { lab } = state;
    this.#draft ??= this.#createDraft(player);
    const metric = this.#metric();
    const spec = lab.about.metrics.find(({ name }) => name === metric);
    if (this.#chart || !spec) return;
    const margin = marginName(lab.about.metrics, metric);
    // Charts with the same `lab` share a cursor. Those of a lesson show different runs, so each has a key of its own.
    const names = [metric, part.beside ?? ""].map((name) => metricLabel(lab, name)) as [string, string];
    const beside = part.beside === null ? null : { metric: part.beside, names };
    this.#chart = new Chart({ spec, lab: `${lab.about.id} ${part.name}`, large: true, margin, beside });
    this.#chartBox.replaceChildren(this.#chart.element);
    this.#drawChart(player.run);
  }

  #metric(): string {
    const { about } = this.state.lab;
    return this.part.metric ?? this.#player?.run.goal?.metric ?? about.charts[0] ?? "";
  }

  #createDraft(player: Player): Draft {
    const { part, state } = this;
    const draft = new Draft(state.lab, player.run);
    // These settings take effect only in a new run, so that its result belongs to one set of them.
    const choose = (chosen: Settings) => draft.usePreset({ ...draft.settings, ...chosen }, { atRestart: true });
    this.#dials = new Dials(part, state, () => draft.settings, choose, this.#apply);
    this.#dialBox.replaceWith(this.#dials.element);
    this.#dialBox = this.#dials.element;
    this.#dialBox.hidden = part.dials.length === 0 || this.#place.hidden;
    // A restart of the run keeps what the reader has set.
    draft.on("changed", () => {
      player.useNext(changedSettings(state.lab, draft.settings));
      this.#drawDials();
    });
    this.#drawDials();
    return draft;
  }

  #drawDials(): void {
    this.#dials?.draw();
    this.#apply.disabled = (this.#draft?.changesNeedingRestart().length ?? 0) === 0;
  }

  #restart(): void {
    const draft = this.#draft;
    if (!draft) return;
    this.#player?.startWith(changedSettings(this.state.lab, draft.settings));
  }

  /** Draws and stores what the run has measured so far, and pauses it at its goal. */
  #showAndStore(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const run = this.#player?.run;
    const { part, state } = this;
    if (!run || (!run.open && run.progress.units === 0)) return;
    const metric = this.#metric();
    const { units, solvedAt, running } = run.progress;
    this.#drawChart(run);
    if (part.goal && typeof solvedAt === "number" && running && !this.#stoppedAtGoal) {
      this.#stoppedAtGoal = true;
      this.#pause();
    }
    write(this.#status, this.#words(run, metric));
    if (units > 0) state.setResult(part.name, resultOfRun(run, metric));
  }

  /** Draws the curve up to the test that the caption speaks of; before the run begins, what was measured before. */
  #drawChart(run: Run): void {
    const metric = this.#metric();
    const { units, running } = run.progress;
    const kept = units === 0 && !running ? this.#kept() : null;
    const goal = run.goal?.metric === metric ? run.goal : null;
    const solvedAt = (kept ? kept.reached : run.progress.solvedAt) ?? null;
    const testUnit = kept ? null : (this.#player?.shown.unitOf(metric) ?? 0);
    const series = kept ? seriesOf(kept, this.state.lab.about.metrics) : run.series;
    this.#chart?.show(series, 1, { goal, solvedAt, shownUnit: null, testUnit });
  }

  /** What a run of this block has measured before; null if none has. */
  #kept(): RunResult | null {
    const kept = this.state.result(this.part.name);
    return kept?.kind === "run" && kept.units > 0 ? kept : null;
  }

  /** What is said before the run begins. */
  #beginWords(): string {
    const { part, state } = this;
    const kept = this.#kept();
    if (!kept) return this.#endWords();
    const { lab } = state;
    const value = kept.last ?? NaN;
    const margin = marginOf(lab, kept);
    const marginText = margin > 0 ? ` (± ${formatNumber(margin, 2)})` : "";
    const chosen = chosenWords(lab, part.dials, kept.settings);
    const settings = chosen && `, with ${chosen}`;
    const label = metricLabel(lab, kept.metric);
    const measured = `${label} ${metricWords(lab, kept.metric, value, margin)}${marginText}`;
    return `Measured before, up to ${lab.about.unit} ${kept.units}${settings}: ${measured}. A new run takes its place${state.hasEnded(part.name) ? " once it has ended" : ""}. ${this.#endWords()}`;
  }

  /** When the run will stop. */
  #endWords(): string {
    const { part, state } = this;
    const count = formatCount(part.units, state.lab.about.unit);
    return part.goal ? `The run stops at its goal, or after ${count}.` : `The run stops after ${count}.`;
  }

  #words({ progress, changes }: Run, metric: string): string {
    const { part, state } = this;
    const { unit } = state.lab.about;
    const { units, running } = progress;
    const solvedAt = progress.solvedAt ?? null;
    if (units === 0) return running ? this.#endWords() : this.#beginWords();
    const isAtGoal = part.goal && solvedAt !== null && !running;
    const reached = solvedAt === null ? "" : ` A test reached the goal in ${unit} ${solvedAt}.`;
    const at =
      units >= part.units
        ? `The run has ended in ${unit} ${units}.${reached}`
        : isAtGoal
          ? `The run has stopped: a test reached the goal in ${unit} ${solvedAt}.`
          : `${sentenceStart(unit)} ${units} of ${part.units}.${reached}`;
    const changed = wasChanged(changes)
      ? " A setting was changed during this run, so its result is kept without settings."
      : "";
    const label = metricLabel(state.lab, metric);
    const shown =
      part.beside === null
        ? `The curve shows: ${label}.`
        : `The curves show: ${label} and ${metricLabel(state.lab, part.beside)}.`;
    return `${at} ${shown}${changed}`;
  }
}
