// The speedup from threads: the same run from the start to the goal, first with all threads and then with one. Each of
// the two runs has a lane, which is a bar that fills as the run approaches the goal. They run one after the other, so
// that they do not compete for processor cores. While the second runs, the first lane is replayed beside it.

import { CompareRun, type CompareSetup } from "../../core/compare/compare-run";
import { button, el, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import { changedSettings } from "../../core/link";
import { dataLike } from "../../core/program";
import type { Run } from "../../core/run";
import { unitsInAgreement } from "../../core/series";
import type { Hold } from "./hold";

/** A lane that has not reached the goal after these seconds is stopped. */
const MAX_LANE_SECONDS = 180;
/** The highest progress shown before the learner reports that the goal is reached, which only the learner decides. */
const MAX_UNSOLVED_PROGRESS = 0.99;

/** A bar that shows how far a run has come, with its time. */
class Lane {
  readonly element: HTMLElement;
  /** The run that is measured in this lane; null before the race. */
  run: CompareRun | null = null;
  /** When it was opened, by `performance.now()`. */
  #openedAt = NaN;
  #fill = el("span", { class: "lane-fill" });
  #time = el("span", { class: "lane-time num" });

  constructor(name: string, className: string) {
    const track = el("span", { class: "lane-track" }, this.#fill, el("span", { class: "lane-goal" }));
    this.element = el(
      "div",
      { class: `lane ${className}` },
      el("span", { class: "lane-name", text: name }),
      track,
      this.#time,
    );
    this.draw(null);
  }

  /** Lets a run train in this lane. */
  begin(run: CompareRun): void {
    this.run = run;
    this.#openedAt = NaN;
    run.on("opened", () => {
      this.#openedAt = performance.now();
      run.allow(Infinity);
    });
  }

  /** Seconds since the run was opened. */
  get elapsed(): number {
    return Number.isNaN(this.#openedAt) ? 0 : (performance.now() - this.#openedAt) / 1000;
  }

  /** Seconds from the start to the goal; null before. */
  get finished(): number | null {
    return this.run?.reached?.seconds ?? null;
  }

  /** Draws the lane as it was after some seconds, or empty for null. */
  draw(seconds: number | null): void {
    const end = this.finished ?? Infinity;
    const shown = seconds === null || !this.run ? null : Math.min(seconds, end);
    const progress = shown === null ? 0 : shown === end ? 1 : this.#progressAt(shown);
    this.#fill.style.transform = `scaleX(${progress})`;
    write(this.#time, shown === null ? "" : `${shown.toFixed(2)} s`);
    this.element.classList.toggle("arrived", shown === end);
  }

  /**
   * The progress of the run up to a time, by the best value of the goal's metric: 0 at its first value, below 1 before
   * the goal.
   */
  #progressAt(seconds: number): number {
    const { run } = this;
    if (!run?.goal) return 0;
    const { target, metric } = run.goal;
    const { x, y } = run.curve(metric, "seconds");
    const values = y.filter((value, i): value is number => value !== null && (x[i] as number) <= seconds);
    const [first] = values;
    if (first === undefined || first === target) return 0;
    const best = Math.max(...values.map((value) => (value - first) / (target - first)));
    return Math.min(MAX_UNSOLVED_PROGRESS, best);
  }
}

export class Speedup {
  readonly element: HTMLElement;
  #allThreads: Lane;
  #oneThread = new Lane("1 thread", "one");
  #button = button("Measure the speedup", () => (this.#running ? this.#stop() : void this.#start()));
  #message = el("p", { class: "compare-result", role: "status" });
  /** The requested animation frame. */
  #frame = 0;
  #running = false;
  #stopListening: () => void;

  /** `run` is the open run, which is repeated from its start. */
  constructor(
    readonly run: Run,
    readonly hold: Hold,
  ) {
    const { cpuBundle } = run;
    const hasOneThread = cpuBundle.threads <= 1;
    this.#allThreads = new Lane(`${cpuBundle.threads} threads`, "all");
    this.element = el(
      "section",
      { class: "compare-part", "aria-labelledby": "speedup-title" },
      el("h2", { id: "speedup-title", text: "Speedup from threads" }),
      el("p", {
        class: "quiet",
        text: "Trains with this seed and these settings from the start to the goal, first on all threads, then on one. Both runs are identical, bit for bit; only the time differs.",
      }),
      ...(hasOneThread ? [] : [this.#allThreads.element, this.#oneThread.element]),
      el("p", { class: "row compare-actions" }, this.#button),
      this.#message,
    );
    this.#stopListening = hold.on("changed", () => {
      this.#button.disabled = hasOneThread || (hold.holder !== null && hold.holder !== this);
    });
    this.#button.disabled = hasOneThread;
    if (hasOneThread)
      write(this.#message, `There is only one thread, so there is nothing to compare. ${cpuBundle.reason}`);
  }

  destroy(): void {
    this.#stop();
    this.#stopListening();
  }

  /** Runs the whole race. The open run pauses meanwhile. */
  async #start(): Promise<void> {
    const { run, hold } = this;
    const { lab } = run;
    if (!lab || !run.goal) {
      write(this.#message, "These settings have no goal, so there is no time to measure.");
      return;
    }
    const setup: CompareSetup = {
      lab,
      settings: changedSettings(lab, run.settings),
      seed: run.seed,
      load: null,
      limits: { goal: true, units: null, seconds: MAX_LANE_SECONDS },
      data: dataLike(run.changes, lab.about.id, run.settings),
    };
    this.#running = true;
    write(this.#button, "Stop measuring");
    hold.set(this, true);
    this.#allThreads.run = this.#oneThread.run = null;
    this.#oneThread.draw(null);
    const failure =
      (await this.#raceLane(this.#allThreads, run.cpuBundle.threads, setup)) ??
      (await this.#raceLane(this.#oneThread, 1, setup));
    this.#running = false;
    write(this.#button, "Measure again");
    write(this.#message, failure ?? this.#result());
    hold.set(this, false);
  }

  /** Runs one lane to its end. Resolves to what went wrong, if anything did. Does nothing after “Stop measuring”. */
  async #raceLane(lane: Lane, threads: number, setup: CompareSetup): Promise<string | null> {
    if (!this.#running) return null;
    write(this.#message, "");
    const run = new CompareRun(this.run.cpuBundle, threads, setup);
    lane.begin(run);
    const draw = () => {
      // While the second lane runs, this replays the first one.
      this.#allThreads.draw(lane.elapsed);
      if (lane === this.#oneThread) this.#oneThread.draw(lane.elapsed);
      this.#frame = requestAnimationFrame(draw);
    };
    draw();
    await run.done;
    run.close();
    cancelAnimationFrame(this.#frame);
    lane.draw(lane.finished);
    if (run.ending === "seconds")
      return "The goal was not reached within three minutes, so the measurement was stopped.";
    return run.failure;
  }

  #stop(): void {
    this.#running = false;
    this.#allThreads.run?.close();
    this.#oneThread.run?.close();
  }

  /** The result of the race in words. */
  #result(): string {
    const [all, one] = [this.#allThreads, this.#oneThread];
    if (!all.run || !one.run || all.finished === null || one.finished === null) return "";
    all.draw(all.finished);
    const agreement = unitsInAgreement(all.run.series, one.run.series);
    const same =
      agreement === null
        ? "The two runs differ, which is an error in Learnery."
        : `Both runs measured identical values in all ${formatCount(agreement, one.run.setup.lab.about.unit)}.`;
    return `${all.run.threads} threads are ${(one.finished / all.finished).toFixed(2)} times as fast as one. ${same}`;
  }
}
