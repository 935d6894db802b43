// `@seeds` on the page: trains the same settings with several seeds, and shows the metric as a band and how many runs
// have reached the goal. What was measured is kept, so it is there after a reload.

import type { BundleChoice } from "../core/bundle";
import { bandOf } from "../core/compare/statistics";
import { button, el, write } from "../core/dom";
import { defaults } from "../core/draft";
import { formatCount, formatTick, sentenceStart } from "../core/format";
import { metricLabel } from "../core/labels";
import { quoted, type Settings } from "../core/values";
import { chosenWords } from "../class/measured";
import type { JsonValue } from "../generated/protocol";
import { BandChart } from "../ui/compare/band-chart";
import { Dials, Tries } from "./dials";
import type { SeedsPart } from "./format";
import { waitsFor } from "./gate";
import { measured, type SeedsResult } from "./measures";
import type { Begun, LessonState } from "./state";
import { isOfSettings, partlyDone } from "./outcome";
import { LessonSweep } from "./sweep";
import { stoppedWords } from "./sweep-words";
import { marginOf, metricWords } from "./values";
import "../style/compare.css";

export class SeedsBlock {
  readonly element: HTMLElement;
  #train = button("", () => (this.#sweep?.training ? this.#sweep.stop() : this.#start()), { class: "primary" });
  #status = el("p", { class: "lesson-status", role: "status" });
  /** How far the runs are. It changes often, so it is not read out. */
  #detail = el("p", { class: "lesson-status" });
  #facts = el("p", { class: "lesson-facts" });
  #dials: Dials;
  #tries = new Tries();
  #chart = new BandChart();
  #caption: HTMLElement;
  #unsubscribe: (() => void)[];

  constructor(
    readonly part: SeedsPart,
    readonly state: LessonState,
    readonly bundle: BundleChoice,
    readonly data: JsonValue | null,
  ) {
    this.#caption = el("p", { class: "quiet small" });
    this.#dials = new Dials(
      part,
      state,
      () => this.#chosen,
      () => this.#draw(),
    );
    this.element = el(
      "section",
      { class: "lesson-run" },
      el("h3", { text: part.title }),
      this.#dials.element,
      el("p", { class: "row lesson-run-row" }, this.#train, this.#status),
      this.#detail,
      this.#facts,
      this.#chart.element,
      this.#caption,
      this.#tries.element,
    );
    this.#unsubscribe = (["changed", "trained"] as const).map((event) => state.on(event, () => this.#draw()));
    this.#draw();
  }

  /** The runs go on without what is shown of them. */
  destroy(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#chart.destroy();
  }

  get #sweep(): Begun | undefined {
    return this.state.sweeps.get(this.part.name);
  }

  /** The settings of the next runs that differ from the defaults: those of the lesson, and those that the reader chose. */
  get #settings(): Settings {
    return { ...this.part.settings, ...this.state.dials(this.part) };
  }

  /** All settings of the next runs. */
  get #chosen(): Settings {
    return { ...defaults(this.state.lab), ...this.#settings };
  }

  #start(): void {
    const { part, state, bundle, data } = this;
    if (waitsFor(state, part.name) !== "") return;
    state.sweeps.set(part.name, new LessonSweep(part, state, this.#settings, bundle, data, this.#earlier()));
    this.#draw();
  }

  /** The runs that were done when the others were stopped; null if there are none, or if all are done. */
  #earlier(): SeedsResult | null {
    const { part, state } = this;
    // What the stopped runs have measured is not kept beside a result of all seeds.
    return partlyDone(part, this.#chosen, [this.#sweep?.result, state.result(part.name)]);
  }

  /** Draws what was measured: by the sweep that trains, or what is kept. */
  #draw(): void {
    const { state, part } = this;
    const kept = state.result(part.name);
    const sweep = this.#sweep;
    const training = sweep?.training ?? false;
    // What was stopped while it trained again takes nothing away from what was measured before.
    const complete = training ? null : state.completeSeeds(part);
    const result = complete ?? sweep?.result ?? (kept?.kind === "seeds" ? kept : null);
    const earlier = this.#earlier();
    const left = part.seeds - (earlier?.seeds.length ?? 0);
    const waits = waitsFor(state, part.name);
    write(
      this.#train,
      training
        ? "Stop"
        : earlier
          ? left === 1
            ? "Train the last run"
            : `Train the other ${left} runs`
          : result?.complete && isOfSettings(part, this.#chosen, result)
            ? "Train again"
            : `Train ${formatCount(part.seeds, "run")}`,
    );
    this.#train.disabled = !training && waits !== "";
    this.#train.classList.toggle("primary", !training && !result?.complete);
    this.#dials.draw();
    this.#dials.element.hidden = waits !== "" || part.dials.length === 0;
    this.#dials.element.inert = training; // what is set meanwhile would not be that of these runs
    this.#tries.draw(state, part);
    write(this.#detail, training && sweep ? sweep.detail : "");
    this.#detail.hidden = this.#detail.textContent === "";
    write(this.#status, training && sweep ? sweep.progress : waits || this.#restWords(earlier ?? result));
    const isEmpty = !result || result.seeds.every(({ curve }) => curve.units.length === 0);
    this.#chart.element.hidden = this.#caption.hidden = isEmpty;
    write(this.#facts, result?.complete ? factsOf(state, part, result) : "");
    this.#facts.hidden = !result?.complete;
    if (isEmpty) return;
    const curves = result.seeds.map(({ curve, reached }) => ({ ...curve, solved: part.goal && reached !== null }));
    const label = metricLabel(state.lab, result.metric);
    const words = `${label} by ${state.lab.about.unit}: median, middle half and range of ${formatCount(part.seeds, "run")}`;
    const goal =
      result.target === null ? null : { metric: result.metric, target: result.target, words: "", exact: false };
    this.#chart.show(bandOf(curves), goal, words);
    write(
      this.#caption,
      `${label} by ${state.lab.about.unit}. Line: the median, which is the middle one of the runs in order; with an even number of runs, the mean of the two in the middle. Dark area: the middle half of the runs. Light area: all runs.`,
    );
  }

  /** What is said while these runs rest. */
  #restWords(result: SeedsResult | null): string {
    const other = result?.complete ? null : this.state.stopsFor(this.part.name);
    const before =
      other !== null &&
      `${quoted(other)} is still training. If you start these runs, it stops, and you can train the rest of it later.`;
    return [this.#endWords(result), before].filter(Boolean).join(" ");
  }

  #endWords(result: SeedsResult | null): string {
    const { part, state } = this;
    const { failures, stoppedFor } = this.#sweep ?? { failures: "", stoppedFor: null };
    if (!result || result.complete) return failures;
    const isKept = state.isKept !== false && !state.completeSeeds(part);
    const isChosen = isOfSettings(part, this.#chosen, result);
    return stoppedWords(part, result, { failures, stoppedFor }, { isKept, isChosen });
  }
}

/** What the seeds have measured, in a sentence or two. */
export function factsOf({ lab }: LessonState, part: SeedsPart, result: SeedsResult): string {
  const value = (what: string) => measured({ block: part.name, what }, result);
  const label = metricLabel(lab, result.metric);
  const words = (what: string) => metricWords(lab, result.metric, value(what), marginOf(lab, result));
  const end = `At the end, ${label}: median ${words("median")}, from ${words("least")} to ${words("most")}.`;
  if (result.target === null) return end;
  const units = value("units");
  const chosen = chosenWords(lab, part.dials, result.settings);
  const start = chosen && `${sentenceStart(chosen)}: `;
  const median = Number.isFinite(units) ? ` (median ${lab.about.unit} ${formatTick(units)})` : "";
  return `${start}${value("reached")} of ${formatCount(part.seeds, "run")} reached the goal within ${formatCount(part.units, lab.about.unit)}${median}. ${end}`;
}
