// The part of the tool "Compare" that trains the page's settings with several seeds: the median and the spread of the
// metric as a band, how many runs reach the goal, and after how long.

import { download } from "../../core/checkpoint";
import { button, el, write } from "../../core/dom";
import type { Draft } from "../../core/draft";
import { formatCount, formatDuration, formatInteger, formatNumber, formatTick, sentenceStart } from "../../core/format";
import { metricLabel } from "../../core/labels";
import { MAX_SEED, changedSettings } from "../../core/link";
import { dataLike } from "../../core/program";
import { changedWords } from "../../core/compare/differences";
import { bandAsCsv, resultsAsCsv, SeedSweep, seedsFrom, sweepFileName } from "../../core/compare/seed-sweep";
import type { Summary } from "../../core/compare/statistics";
import { BandChart } from "./band-chart";
import type { Hold } from "./hold";
import { NumberBox } from "./number-box";

/** How many seeds can be chosen. */
const SEED_COUNT = { min: 2, max: 20 };
/** The number of seeds, and the limits of each run, before the visitor changes them. */
const DEFAULTS = { seeds: 10, units: 200, seconds: 180 };
/** The most seconds that a run may be given: a day. */
const MAX_SECONDS = 86_400;
/** Shortest time between two redraws. */
const REDRAW_MS = 300;

export class Seeds {
  readonly element: HTMLElement;
  #sweep: SeedSweep | null = null;
  #count = new NumberBox({ id: "seeds-count", label: "seeds", ...SEED_COUNT, value: DEFAULTS.seeds });
  #units: NumberBox;
  #seconds = new NumberBox({
    id: "seeds-seconds",
    label: "seconds at most, each",
    min: 1,
    max: MAX_SECONDS,
    value: DEFAULTS.seconds,
  });
  #atATime = el("select", { id: "seeds-at-a-time" });
  #train = button("Train all seeds", () => this.#press(), { class: "primary" });
  #message = el("p", { class: "compare-result", role: "status" });
  /** With which settings the shown runs have trained. */
  #settings = el("p", { class: "quiet small seeds-settings" });
  #chart = new BandChart();
  #goalStatistics = el("ul", { class: "seeds-facts" });
  #table = el("div", { class: "compare-table", tabindex: "0", role: "region", "aria-label": "Results by seed" });
  #results: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups: (() => void)[];

  constructor(
    readonly draft: Draft,
    readonly hold: Hold,
  ) {
    const { about } = draft.lab;
    const { threads } = draft.run.cpuBundle;
    this.#units = new NumberBox({
      id: "seeds-units",
      label: `${about.unit}s at most, each`,
      min: 1,
      max: MAX_SEED, // units have 32 bits too
      value: DEFAULTS.units,
    });
    const orders: [number, string][] = [
      [1, threads > 1 ? "one after the other, on all threads" : "one after the other"],
    ];
    if (threads > 1) orders.unshift([threads, `${threads} at a time, one thread each`]);
    this.#atATime.append(...orders.map(([value, text]) => el("option", { value, text })));
    const save = (name: string, text: (sweep: SeedSweep) => string) => () => {
      const sweep = this.#sweep;
      if (sweep) download(`${sweepFileName(sweep)}-${name}.csv`, new TextEncoder().encode(text(sweep)));
    };
    this.#results = el(
      "div",
      { class: "compare-results", hidden: true },
      this.#settings,
      this.#chart.element,
      el("p", {
        class: "quiet small",
        text: "Line: the median, which is the middle one of the runs in order, or the mean of the two in the middle. Band: the middle half of the runs, between the quartiles. Faint: all runs. A run that has reached the goal stops and counts with its last value.",
      }),
      this.#goalStatistics,
      this.#table,
      el(
        "p",
        { class: "row compare-actions" },
        button("Results as CSV", save("results", resultsAsCsv)),
        button("Band as CSV", save("band", bandAsCsv)),
      ),
    );
    this.element = el(
      "section",
      { class: "compare-part", "aria-labelledby": "seeds-title" },
      el("h2", { id: "seeds-title", text: "Same settings, many seeds" }),
      el("p", {
        class: "quiet",
        text: "One run can be lucky. Trains the settings of the page with several seeds, from the one that is set upwards, and shows the median and the spread.",
      }),
      el(
        "div",
        { class: "compare-options" },
        this.#count.element,
        this.#units.element,
        this.#seconds.element,
        el("div", { class: "compare-field" }, el("label", { for: "seeds-at-a-time", text: "Train" }), this.#atATime),
      ),
      el("p", { class: "row compare-actions" }, this.#train),
      this.#message,
      this.#results,
    );
    this.#cleanups = [hold.on("changed", () => this.#drawButton()), draft.on("changed", () => this.#drawSettings())];
  }

  destroy(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.#sweep?.stop();
    clearTimeout(this.#timer);
    this.hold.set(this, false);
    this.#chart.destroy();
  }

  /** The button: trains all seeds, or stops. */
  #press(): void {
    if (this.#sweep?.training) return this.#sweep.stop();
    const { lab, settings, seed, run } = this.draft;
    const sweep = new SeedSweep(run.cpuBundle, {
      lab,
      settings: changedSettings(lab, settings),
      seeds: seedsFrom(seed, this.#count.value ?? DEFAULTS.seeds),
      atATime: Number(this.#atATime.value),
      limits: { goal: true, units: this.#units.value, seconds: this.#seconds.value },
      data: dataLike(run.changes, lab.about.id, settings),
    });
    this.#sweep = sweep;
    sweep.on("changed", () => this.#changed());
    this.#changed();
    this.#draw();
  }

  #changed(): void {
    this.hold.set(this, this.#sweep?.training ?? false);
    this.#timer ??= setTimeout(() => this.#draw(), REDRAW_MS);
  }

  #drawButton(): void {
    const otherPartTrains = this.hold.holder !== null && this.hold.holder !== this;
    const startLabel = this.#sweep ? "Train again" : "Train all seeds";
    write(this.#train, this.#sweep?.training ? "Stop" : startLabel);
    this.#train.disabled = otherPartTrains;
    this.#train.title = otherPartTrains ? "Another part of this tool is computing" : "";
  }

  /** Says with which settings these runs have trained, and whether the page has others by now. */
  #drawSettings(): void {
    if (!this.#sweep) return;
    const { lab, settings: now } = this.draft;
    const { settings, seeds, data } = this.#sweep.setup;
    const changed = changedWords(lab, settings) || "all at their defaults";
    const own = data ? ", with your own data" : "";
    const isOther = changedWords(lab, settings) !== changedWords(lab, now);
    write(
      this.#settings,
      `Settings of these runs: ${changed}${own}. Seeds ${seeds[0]} to ${seeds.at(-1)}.` +
        (isOther ? " The page has other settings now." : ""),
    );
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawButton();
    const sweep = this.#sweep;
    this.#results.hidden = !sweep;
    if (!sweep) return;
    this.#drawSettings();
    const { about } = this.draft.lab;
    const { training, ended, reached, metric } = sweep;
    const seedCount = sweep.seeds.length;
    const failures = [...new Set(sweep.seeds.flatMap(({ run }) => run?.failure ?? []))];
    const state = training
      ? `${ended} of ${seedCount} seeds are done.`
      : ended < seedCount
        ? `Stopped after ${ended} of ${seedCount}.`
        : "";
    const hasGoal = sweep.seeds.some(({ run }) => run?.goal);
    const goalText = hasGoal ? `${reached} of ${ended} reached the goal.` : "These settings have no goal.";
    write(this.#message, [state, ended > 0 ? goalText : "", ...failures].filter(Boolean).join(" "));
    const label = metricLabel(this.draft.lab, metric);
    const runGoal = sweep.seeds.find(({ run }) => run?.goal)?.run?.goal ?? null;
    this.#chart.show(sweep.band(), runGoal, `${label}: median and range of ${seedCount} seeds by ${about.unit}`);
    const statistics = hasGoal && ended > 0 ? this.#goalStatisticsOf(sweep) : [];
    this.#goalStatistics.replaceChildren(...statistics.map((text) => el("li", { text })));
    this.#drawTable(sweep, label);
  }

  /** The median and the quartiles of the units and of the time until the goal is reached, in words. */
  #goalStatisticsOf(sweep: SeedSweep): string[] {
    const { unit } = this.draft.lab.about;
    const words = ({ median, lowerQuartile, upperQuartile }: Summary, text: (n: number) => string) => {
      if (!Number.isFinite(median)) return "no median, because half of the runs or more ended without the goal";
      const upper = Number.isFinite(upperQuartile) ? text(upperQuartile) : "never";
      return `median ${text(median)}, quartiles ${text(lowerQuartile)} and ${upper}`;
    };
    const facts = [
      `${sentenceStart(unit)}s to the goal: ${words(sweep.toTheGoal("units"), formatTick)}`,
      `Time to the goal: ${words(sweep.toTheGoal("seconds"), formatDuration)}`,
    ];
    if (sweep.reached < sweep.ended)
      facts.push(
        "In the median and the quartiles, a run that ended without the goal counts as slower than all others.",
      );
    return facts;
  }

  #drawTable(sweep: SeedSweep, label: string): void {
    const { unit, metrics } = this.draft.lab.about;
    const spec = metrics.find(({ name }) => name === sweep.metric);
    const head = ["Seed", sentenceStart(unit), "Time", sentenceStart(label), "Outcome"];
    const rows = sweep.seeds.map(({ seed, run }) => [
      String(seed),
      run?.position ? formatInteger(run.position.units) : "–",
      run?.position ? formatDuration(run.seconds) : "–",
      formatNumber(run?.series.last(sweep.metric) ?? NaN, 4, spec?.unit ?? ""),
      this.#outcome(run, sweep.training),
    ]);
    const cells = (tag: "th" | "td", texts: string[]) =>
      el("tr", {}, ...texts.map((text) => el(tag, { class: "num", text, scope: tag === "th" ? "col" : undefined })));
    const table = el(
      "table",
      {},
      el("thead", {}, cells("th", head)),
      el("tbody", {}, ...rows.map((texts) => cells("td", texts))),
    );
    this.#table.replaceChildren(table);
  }

  #outcome(run: SeedSweep["seeds"][number]["run"], training: boolean): string {
    const { unit } = this.draft.lab.about;
    switch (run?.ending) {
      case undefined:
        return training ? "waits" : "not started";
      case null:
        return "trains";
      case "goal":
        return `goal in ${unit} ${formatInteger(run?.reached?.units ?? 0)}`;
      case "units":
        return `ended after ${formatCount(this.#sweep?.setup.limits.units ?? 0, unit)}`;
      case "seconds":
        return `ended after ${formatDuration(this.#sweep?.setup.limits.seconds ?? 0)}`;
      case "stopped":
        return "stopped";
      case "failed":
        return "failed";
    }
  }
}
