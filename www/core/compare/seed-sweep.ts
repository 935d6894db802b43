// Trains the same settings with several seeds, some of them at a time, each to the goal or to a limit. Shows how much
// of a result is luck.

import type { JsonValue, LabInfo } from "../../generated/protocol";
import type { BundleChoice } from "../bundle";
import { metricHeading, toCsv } from "../csv";
import { CompareRun, type Limits } from "./compare-run";
import { Emitter } from "../events";
import { sentenceStart } from "../format";
import { settingTitle } from "../labels";
import { changedSettings, MAX_SEED, settingText, type Settings } from "../link";
import { bandOf, summary, type BandRow, type Summary } from "./statistics";

export interface SweepSetup {
  lab: LabInfo;
  settings: Settings;
  seeds: number[];
  /** How many runs train at a time. */
  atATime: number;
  limits: Limits;
  /** The command that gives each run data of the visitor's own; null for none. */
  data?: JsonValue | null;
}

/** A seed and its run; null before the run starts. */
export interface SweptSeed {
  seed: number;
  run: CompareRun | null;
}

/** `count` seeds in a row. After the largest seed, 0 follows. */
export function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (first + i) % (MAX_SEED + 1));
}

export class SeedSweep extends Emitter<{ changed: null }> {
  readonly seeds: SweptSeed[];
  /** True until all runs have ended. */
  training = true;

  constructor(
    readonly bundle: BundleChoice,
    readonly setup: SweepSetup,
  ) {
    super();
    this.seeds = setup.seeds.map((seed) => ({ seed, run: null }));
    this.#startNext();
  }

  /** Ends all runs. What they have recorded stays. */
  stop(): void {
    this.training = false;
    for (const { run } of this.seeds) run?.close();
    this.emit("changed", null);
  }

  /** The metric that the runs are judged by. */
  get metric(): string {
    const { about } = this.setup.lab;
    return this.seeds.find(({ run }) => run?.goal)?.run?.goal?.metric ?? about.charts[0] ?? "";
  }

  /** The median and the range of the metric over the units. */
  band(): BandRow[] {
    return bandOf(
      this.seeds.flatMap(({ run }) => {
        if (!run) return [];
        const { units } = run.series;
        return [{ units, values: run.series.column(this.metric), solved: run.ending === "goal" }];
      }),
    );
  }

  /**
   * The summary of the units, work or seconds to the goal over all runs that have ended by themselves. A run that has
   * not reached the goal counts as one that never does.
   */
  toTheGoal(axis: "units" | "work" | "seconds"): Summary {
    const ended = this.seeds.filter(hasEndedByItself);
    return summary(ended.map(({ run }) => run?.reached?.[axis] ?? Infinity));
  }

  /** How many runs have reached the goal. */
  get reached(): number {
    return this.seeds.filter(({ run }) => run?.reached).length;
  }

  /** How many runs have ended by themselves. */
  get ended(): number {
    return this.seeds.filter(hasEndedByItself).length;
  }

  #startNext(): void {
    if (!this.training) return;
    const { bundle, setup } = this;
    const threads = Math.max(1, Math.floor(bundle.threads / setup.atATime));
    const active = () => this.seeds.filter(({ run }) => run && run.ending === null).length;
    for (const swept of this.seeds) {
      if (swept.run || active() >= setup.atATime) continue;
      const run = new CompareRun(bundle, threads, { ...setup, seed: swept.seed, load: null });
      swept.run = run;
      run.on("opened", () => run.allow(Infinity));
      run.on("changed", () => this.emit("changed", null));
      // The results stay; the worker gives its memory to the next one.
      void run.done.then(() => {
        run.close();
        this.#startNext();
      });
    }
    if (active() === 0) this.training = false;
    this.emit("changed", null);
  }
}

/** Whether a run has ended, but not because the sweep was stopped. */
const hasEndedByItself = ({ run }: SweptSeed) => Boolean(run?.ending && run.ending !== "stopped");

/** A longer name of a file is cut to so many characters. A hash of the whole name follows, so that names differ. */
const KEPT_CHARACTERS = 100;

/** The name of a file of results without its ending. It names the lab, the seeds and the settings. */
export function sweepFileName({ setup: { lab, settings, seeds, data } }: SeedSweep): string {
  const changed = settingsOf(lab, settings).map(([name, text]) => `-${name}=${text}`);
  const name = `learnery-${lab.about.id}-seeds${seeds[0]}-${seeds.at(-1)}${changed.join("")}${data ? "-own-data" : ""}`;
  const safe = name.replace(/[^\w.=-]+/g, "_");
  if (safe.length <= KEPT_CHARACTERS) return safe;
  // The hash of a text in Java.
  const hash = [...safe].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) >>> 0, 0);
  return `${safe.slice(0, KEPT_CHARACTERS)}-${hash.toString(16)}`;
}

/** The settings that differ from the defaults, as texts. */
function settingsOf(lab: LabInfo, settings: Settings): [name: string, text: string][] {
  return Object.entries(changedSettings(lab, settings)).map(([name, value]) => [name, settingText(value)]);
}

/** Columns with the settings that differ from the defaults, so that tables of several sweeps can be put together. */
function settingColumns({ setup: { lab, settings } }: SeedSweep): { heads: string[]; texts: string[] } {
  const changed = settingsOf(lab, settings);
  return { heads: changed.map(([name]) => settingTitle(lab, name)), texts: changed.map(([, text]) => text) };
}

/**
 * The results as a table of comma-separated values, one row for each seed: what the page's table shows, whether and in
 * which unit the goal was reached, the work, and the settings that differ from the defaults.
 */
export function resultsAsCsv(sweep: SeedSweep): string {
  const { unit, work } = sweep.setup.lab.about;
  const { metric } = sweep;
  const { heads, texts } = settingColumns(sweep);
  const measured = ["seed", "goal reached", `goal reached in ${unit}`, unit, work, "time (s)", headingOf(sweep)];
  const head = [...measured, "outcome", ...heads];
  const rows = sweep.seeds.map(({ seed, run }) => [
    seed,
    run?.reached ? "yes" : "no",
    run?.reached?.units ?? "",
    run?.position?.units ?? "",
    run?.position?.work ?? "",
    run?.seconds.toFixed(3) ?? "",
    run?.series.last(metric) ?? NaN,
    run?.ending ?? "",
    ...texts,
  ]);
  return toCsv([head.map(sentenceStart), ...rows]);
}

/** The band as a table of comma-separated values, one row for each unit at which the metric was measured. */
export function bandAsCsv(sweep: SeedSweep): string {
  const { heads, texts } = settingColumns(sweep);
  const statistics = ["median", "lower quartile", "upper quartile", "least", "most"];
  const head = [
    sweep.setup.lab.about.unit,
    ...statistics.map((statistic) => `${statistic} of ${headingOf(sweep)}`),
    "runs",
    ...heads,
  ];
  const rows = sweep
    .band()
    .map(({ unit, median, lowerQuartile, upperQuartile, least, most, count }) => [
      unit,
      ...[median, lowerQuartile, upperQuartile, least, most],
      count,
      ...texts,
    ]);
  return toCsv([head.map(sentenceStart), ...rows]);
}

/** The label of the metric that the runs are judged by, with its unit. */
function headingOf({ metric, setup }: SeedSweep): string {
  const spec = setup.lab.about.metrics.find(({ name }) => name === metric);
  return spec ? metricHeading(spec) : metric;
}
