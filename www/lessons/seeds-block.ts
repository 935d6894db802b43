// `@seeds` on the page: trains the same settings with several seeds, and shows the metric as a band and how many runs
// have reached the goal. What was measured is kept, so it is there after a reload.

import type { BundleChoice } from "../core/bundle";
import { SeedSweep, seedsFrom } from "../core/compare/seed-sweep";
import { bandOf } from "../core/compare/statistics";
import { button, el, write } from "../core/dom";
import { formatCount, formatTick } from "../core/format";
import type { JsonValue } from "../generated/protocol";
import { BandChart } from "../ui/compare/band-chart";
import type { SeedsPart } from "./format";
import { waitsFor } from "./gate";
import { measured, type SeedsResult } from "./measures";
import { resultOfSweep } from "./outcome";
import type { LessonState } from "./state";
import { metricLabel, metricWords } from "./texts";
import "../style/compare.css";

/** Shortest time between two redraws. */
const REDRAW_MS = 300;

export class SeedsBlock {
  readonly element: HTMLElement;
  #sweep: SeedSweep | null = null;
  #train = button("", () => (this.#sweep?.training ? this.#stop() : this.#start()), { class: "primary" });
  #status = el("p", { class: "lesson-status", role: "status" });
  #facts = el("p", { class: "lesson-facts" });
  #chart = new BandChart();
  #caption: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe: () => void;

  constructor(
    readonly part: SeedsPart,
    readonly state: LessonState,
    readonly bundle: BundleChoice,
    readonly data: JsonValue | null,
  ) {
    this.#caption = el("p", { class: "quiet small" });
    this.element = el(
      "section",
      { class: "lesson-run" },
      el("h3", { text: part.title }),
      el("p", { class: "row lesson-run-row" }, this.#train, this.#status),
      this.#facts,
      this.#chart.element,
      this.#caption,
    );
    this.#unsubscribe = state.on("changed", () => this.#draw());
    this.#draw();
  }

  destroy(): void {
    this.#unsubscribe();
    this.#stop();
    clearTimeout(this.#timer);
    this.#chart.destroy();
  }

  #stop = (): void => {
    this.#sweep?.stop();
    this.state.endTraining(this.#stop);
  };

  #start(): void {
    const { part, state, bundle, data } = this;
    if (waitsFor(state, part.name) !== "") return;
    state.beginTraining(this.#stop);
    const sweep = new SeedSweep(bundle, {
      lab: state.lab,
      settings: part.settings,
      seeds: seedsFrom(part.from, part.seeds),
      atATime: bundle.threads,
      limits: { goal: part.goal, units: part.units, seconds: null },
      data,
    });
    this.#sweep = sweep;
    sweep.on("changed", () => (this.#timer ??= setTimeout(() => this.#take(), REDRAW_MS)));
    this.#take();
  }

  /** Takes over what the sweep has measured so far. */
  #take(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { state, part } = this;
    const sweep = this.#sweep;
    if (!sweep) return;
    if (!sweep.training) state.endTraining(this.#stop);
    const result = resultOfSweep(sweep, part.metric);
    if (result.complete || (result.seeds.length > 0 && state.result(part.name) === undefined))
      state.setResult(part.name, result);
    this.#draw(result);
  }

  /** Draws what was measured: by the sweep that trains, or what is kept. */
  #draw(now?: SeedsResult): void {
    const { state, part } = this;
    const kept = state.result(part.name);
    const sweep = this.#sweep;
    const result = now ?? (sweep ? resultOfSweep(sweep, part.metric) : kept?.kind === "seeds" ? kept : null);
    const training = sweep?.training ?? false;
    const waits = waitsFor(state, part.name);
    write(this.#train, training ? "Stop" : result?.complete ? "Train again" : `Train ${part.seeds} seeds`);
    this.#train.disabled = !training && waits !== "";
    this.#train.classList.toggle("primary", !training && !result?.complete);
    write(this.#status, training && sweep ? this.#progress(sweep) : waits || this.#endWords(result));
    const isEmpty = !result || result.seeds.every(({ curve }) => curve.units.length === 0);
    this.#chart.element.hidden = this.#caption.hidden = isEmpty;
    write(this.#facts, result?.complete ? factsOf(state, part, result) : "");
    this.#facts.hidden = !result?.complete;
    if (isEmpty) return;
    const curves = result.seeds.map(({ curve, reached }) => ({ ...curve, solved: part.goal && reached !== null }));
    const label = metricLabel(state.lab, result.metric);
    const words = `${label} by ${state.lab.about.unit}: median and range of ${part.seeds} seeds`;
    const goal =
      result.target === null ? null : { metric: result.metric, target: result.target, words: "", exact: false };
    this.#chart.show(bandOf(curves), goal, words);
    write(
      this.#caption,
      `${label} by ${state.lab.about.unit}. Line: the median, half of the runs lie below it. Band: the middle half. Faint: all runs.`,
    );
  }

  #progress(sweep: SeedSweep): string {
    const { seeds } = this.part;
    return `${sweep.ended} of ${seeds} seeds are done.`;
  }

  #endWords(result: SeedsResult | null): string {
    const failures = [...new Set(this.#sweep?.seeds.flatMap(({ run }) => run?.failure ?? []) ?? [])];
    if (failures.length > 0) return failures.join(" ");
    if (!result || result.complete) return "";
    return "It was stopped before all seeds were done, so nothing counts yet.";
  }
}

/** What the seeds have measured, in a sentence or two. */
export function factsOf({ lab }: LessonState, part: SeedsPart, result: SeedsResult): string {
  const value = (what: string) => measured({ block: part.name, what }, result);
  const label = metricLabel(lab, result.metric);
  const words = (what: string) => metricWords(lab, result.metric, value(what));
  const end = `At the end, ${label}: median ${words("median")}, from ${words("least")} to ${words("most")}.`;
  if (result.target === null) return end;
  const units = value("units");
  const median = Number.isFinite(units) ? ` (median ${lab.about.unit} ${formatTick(units)})` : "";
  return `${value("reached")} of ${formatCount(part.seeds, "run")} reached the goal within ${formatCount(part.units, lab.about.unit)}${median}. ${end}`;
}
