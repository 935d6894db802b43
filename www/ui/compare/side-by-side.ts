// The part of the tool "Compare" in which up to four runs train side by side: their list, how they train, their
// pictures, their curves in one chart, and what came of them.

import { button, el, listen, write } from "../../core/dom";
import { Comparison, firstToTheGoal, type Lane } from "../../core/compare/comparison";
import type { Contenders } from "../../core/contenders";
import { distinction } from "../../core/compare/differences";
import type { Draft } from "../../core/draft";
import { metricLabel } from "../../core/labels";
import { MAX_SEED } from "../../core/link";
import { effortWords, firstWords, measureName } from "../../core/compare/first-words";
import type { Pacing, TrainingPoint } from "../../core/compare/pacing";
import { Ticker } from "../small-picture/ticker";
import { Choices } from "../choices";
import { AddRun } from "./add-run";
import type { Hold } from "./hold";
import { LaneCard } from "./lane-card";
import { laneLetter } from "./lane-marks";
import { FRAMES_PER_SECOND, type SmallStage } from "./lane-picture";
import { LaneTable, type LaneFingerprint } from "./lane-table";
import { NumberBox } from "./number-box";
import { ComparisonChart } from "./comparison-chart";

/** Shortest time between two redraws of the chart and the table. */
const REDRAW_MS = 250;

/** What the x axis counts, by the measure that keeps the runs in step. */
const AXES: Record<Pacing, keyof TrainingPoint> = { unit: "units", work: "work", time: "seconds" };

export class SideBySide {
  readonly element: HTMLElement;
  readonly comparison: Comparison;
  #add: AddRun;
  #cards: LaneCard[] = [];
  #list = el("ul", { class: "compare-lanes" });
  #chart = new ComparisonChart();
  #table = new LaneTable();
  #ticker = new Ticker(() => {}, FRAMES_PER_SECOND);
  #pacing: Choices<Pacing>;
  #order: Choices<boolean>;
  #stopAtGoal = el("input", { type: "checkbox", class: "switch", id: "compare-goal", checked: true });
  #lastUnit: NumberBox;
  #metric = el("select", { id: "compare-metric" });
  /** What the x axis of the chart counts. */
  #axisName = el("span", {});
  /** Whether the visitor has chosen the metric; otherwise it is the goal's metric. */
  #metricChosen = false;
  #train = button("Train side by side", () => this.#press(), { class: "primary" });
  #stop = button("Stop", () => this.comparison.stop());
  #fingerprint = button("Compute fingerprints", () => void this.#computeFingerprints(), {
    title: "Runs with the same fingerprint continue identically, bit for bit",
  });
  /** The fingerprints that were computed, by the runs (`CompareRun`). */
  #fingerprints = new Map<unknown, LaneFingerprint>();
  #result = el("p", { class: "compare-result", role: "status" });
  #results: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups: (() => void)[];

  constructor(
    readonly draft: Draft,
    readonly contenders: Contenders,
    readonly hold: Hold,
    /** How the lab shows its runs in small; null if it cannot. */
    readonly small: SmallStage | null,
  ) {
    const { lab, run } = draft;
    const { about } = lab;
    this.comparison = new Comparison(lab, run.cpuBundle);
    this.#add = new AddRun(draft, contenders);
    this.#pacing = new Choices<Pacing>({
      class: "segments",
      buttonClass: "button",
      label: "In step by",
      choices: [
        { value: "unit", content: [about.unit], title: `No run is more than one ${about.unit} ahead` },
        { value: "work", content: [about.work], title: `Runs with less work in ${about.unit}s make more of them` },
        { value: "time", content: ["time"], title: "Every run trains freely" },
      ],
      choose: (pacing) => {
        this.#pacing.show(pacing);
        this.comparison.setPacing(pacing);
        this.#draw();
      },
    });
    this.#order = new Choices<boolean>({
      class: "segments",
      buttonClass: "button",
      label: "Order",
      choices: [
        { value: false, content: ["side by side"], title: "Each run gets a fair share of the processor's cores" },
        { value: true, content: ["one after the other"], title: "Each run gets all cores" },
      ],
      choose: (inTurn) => {
        this.comparison.options = { ...this.comparison.options, inTurn };
        this.#order.show(inTurn);
        this.#draw();
      },
    });
    this.#pacing.show("unit");
    this.#order.show(false);
    this.#lastUnit = new NumberBox({
      id: "compare-last",
      label: `last ${about.unit}`,
      min: 1,
      max: MAX_SEED, // units have 32 bits too
      value: null,
    });
    this.#metric.append(...about.metrics.map(({ name, label }) => el("option", { value: name, text: label })));
    listen(this.#metric, {
      change: () => {
        this.#metricChosen = true;
        this.#draw();
      },
    });
    const field = (label: string, choices: HTMLElement) =>
      el("div", { class: "compare-field" }, el("span", { text: label }), choices);
    this.#results = el(
      "div",
      { class: "compare-results" },
      this.#result,
      el(
        "div",
        { class: "compare-field" },
        el("label", { for: "compare-metric", text: "Curve" }),
        this.#metric,
        this.#axisName,
      ),
      this.#chart.element,
      this.#table.element,
      el("p", { class: "row compare-actions" }, this.#fingerprint),
    );
    this.element = el(
      "section",
      { class: "compare-part", "aria-labelledby": "compare-title" },
      el("h2", { id: "compare-title", text: "Runs side by side" }),
      el("p", {
        class: "quiet",
        text: "Up to four runs at once. Change one thing at a time, and see what it does.",
      }),
      this.#add.element,
      this.#list,
      el(
        "div",
        { class: "compare-options" },
        field("Train", this.#order.element),
        field("In step by", this.#pacing.element),
        el("label", { class: "check compare-field" }, this.#stopAtGoal, el("span", { text: "stop at the goal" })),
        this.#lastUnit.element,
      ),
      el("p", { class: "row compare-actions" }, this.#train, this.#stop),
      this.#results,
    );
    const { comparison } = this;
    this.#cleanups = [
      comparison.on("lanes", (lanes) => this.#showLanes(lanes)),
      comparison.on("changed", () => this.#changed()),
      contenders.on("changed", (list) => comparison.setContenders(list)),
      hold.on("changed", () => this.#draw()),
    ];
    comparison.setContenders(contenders.list);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    for (const cleanup of this.#cleanups) cleanup();
    this.#add.destroy();
    this.comparison.destroy();
    this.hold.set(this, false);
    for (const card of this.#cards) card.destroy();
    this.#ticker.destroy();
    this.#chart.destroy();
  }

  /** The main button: starts, pauses or continues. */
  #press(): void {
    const { comparison } = this;
    if (comparison.state === "training") return comparison.pause();
    if (comparison.state === "paused") return comparison.resume();
    const { value: units } = this.#lastUnit;
    comparison.options = {
      ...comparison.options,
      limits: { goal: this.#stopAtGoal.checked, units, seconds: null },
    };
    this.#fingerprints.clear();
    comparison.start();
  }

  #showLanes(lanes: Lane[]): void {
    const kept = this.#cards.filter((card) => lanes.includes(card.lane));
    for (const card of this.#cards) if (!kept.includes(card)) card.destroy();
    const remove = (lane: Lane) => () => this.contenders.remove(lane.contender);
    this.#cards = lanes.map(
      (lane) =>
        kept.find((card) => card.lane === lane) ??
        new LaneCard(lane, this.comparison, this.#ticker, this.small, remove(lane)),
    );
    for (const card of this.#cards) card.begin();
    this.#list.replaceChildren(...this.#cards.map(({ element }) => element));
    this.#draw();
  }

  /** Something has changed in the runs: pauses the open run or lets it go on, and draws soon. */
  #changed(): void {
    this.hold.set(this, this.comparison.state === "training");
    this.#timer ??= setTimeout(() => this.#draw(), REDRAW_MS);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { comparison, hold } = this;
    const { lanes, state, lab } = comparison;
    const axis =
      comparison.inTurn && comparison.options.pacing === "time" ? "seconds" : AXES[comparison.options.pacing];
    const first = firstToTheGoal(lanes, axis, state === "ended");
    const identities = lanes.map(({ contender }) => contender);
    for (const card of this.#cards) {
      const title = lanes.length > 1 ? distinction(lab, card.lane.contender, identities) : "";
      const reached = first.includes(card.lane) && card.lane.run?.reached;
      card.draw(title, reached ? `First to the goal: ${effortWords(lab.about, axis, reached)}` : "");
    }
    const isTraining = state === "training";
    const labels = { idle: "Train", training: "Pause", paused: "Continue", ended: "Train again" };
    write(this.#train, labels[state]);
    this.#train.classList.toggle("primary", !isTraining);
    const otherPartTrains = hold.holder !== null && hold.holder !== this;
    this.#train.disabled = lanes.length === 0 || otherPartTrains;
    const reason = lanes.length === 0 ? "Add a run first" : "Another part of this tool is computing";
    this.#train.title = this.#train.disabled ? reason : "";
    this.#stop.hidden = !isTraining && state !== "paused";
    for (const control of this.element.querySelectorAll<HTMLButtonElement>(".compare-options button")) {
      // The pacing can be changed at any time, the order only before the runs start.
      control.disabled = (isTraining || state === "paused") && this.#order.element.contains(control);
    }
    this.#stopAtGoal.disabled = this.#lastUnit.disabled = isTraining || state === "paused";
    const hasBegun = lanes.some(({ run }) => run);
    this.#results.hidden = !hasBegun;
    if (!hasBegun) return;
    const goalMetric = lanes.find(({ run }) => run?.goal)?.run?.goal?.metric;
    if (!this.#metricChosen) this.#metric.value = goalMetric ?? lab.about.charts[0] ?? "";
    const metric = this.#metric.value;
    write(this.#axisName, `by ${measureName(lab.about, axis)}`);
    const label = metricLabel(lab, metric);
    this.#chart.show({ lanes, metric, axis, first }, `${label} of ${lanes.length} runs, as in the table below`);
    this.#table.draw(comparison, metric, this.#fingerprints);
    this.#fingerprint.hidden = isTraining || !lanes.some(({ run }) => run?.alive && run.position);
    write(this.#result, this.#resultWords(first, axis));
  }

  /** Which runs were first to the goal, by the measure of the chart's x axis. */
  #resultWords(first: Lane[], axis: keyof TrainingPoint): string {
    const { lanes, state, lab } = this.comparison;
    const reached = first[0]?.run?.reached;
    if (reached && lanes.length > 1) {
      const letters = first.map(({ place }) => laneLetter(place));
      return `${firstWords(lab.about, axis, letters, reached)} This is one seed each: it may be chance.`;
    }
    if (state !== "ended" || lanes.length < 2) return "";
    return lanes.some(({ run }) => run?.goal) ? "No run has reached the goal." : "These runs have no goal.";
  }

  /** Computes the fingerprint of every run at its present unit, which is finished first. */
  async #computeFingerprints(): Promise<void> {
    this.#fingerprint.disabled = true;
    for (const { run } of this.comparison.lanes) {
      const saved = await run?.save();
      if (saved?.fingerprint) this.#fingerprints.set(run, { units: saved.units, fingerprint: saved.fingerprint });
    }
    this.#fingerprint.disabled = false;
    this.#draw();
  }
}
