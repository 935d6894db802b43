// The race: the same run from the start to the goal, first with all threads and then with one. Each of the two runs has
// a lane, which is a bar that fills as the run approaches the goal. They run one after the other, so that they do not
// compete for processor cores. While the second runs, the first lane is replayed beside it.

import { button, el, write } from "../core/dom";
import { formatCount } from "../core/format";
import { unitsInAgreement, RaceRun, type RaceSetup } from "../core/race-run";
import type { Run } from "../core/run";

/** A lane that has not reached the goal after this time is stopped. */
const MAX_LANE_MS = 180_000;

/** A bar that shows how far a run has come, with its time. */
class Lane {
  readonly element: HTMLElement;
  /** The run that is measured in this lane; null before the race. */
  run: RaceRun | null = null;
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

  /** Draws the lane as it was after some seconds, or empty for null. */
  draw(seconds: number | null): void {
    const endSeconds = this.run?.finished?.seconds ?? Infinity;
    const shown = seconds === null || !this.run ? null : Math.min(seconds, endSeconds);
    const progress = shown === null || !this.run ? 0 : this.run.pointAt(shown).progress;
    this.#fill.style.transform = `scaleX(${progress})`;
    write(this.#time, shown === null ? "" : `${shown.toFixed(2)} s`);
    this.element.classList.toggle("arrived", shown === endSeconds);
  }
}

export class Race {
  readonly element: HTMLElement;
  #allThreads: Lane;
  #oneThread = new Lane("1 thread", "one");
  #button = button("Measure the speedup", () => (this.#running ? this.#stop() : void this.#start()));
  #message = el("p", { class: "race-message", role: "status" });
  /** The requested animation frame. */
  #frame = 0;
  #running = false;

  /** `run` is the open run, which the race repeats from its start and which pauses meanwhile. */
  constructor(readonly run: Run) {
    const { cpuBundle } = run;
    this.#allThreads = new Lane(`${cpuBundle.threads} threads`, "all");
    this.element = el(
      "section",
      { class: "race", "aria-labelledby": "race-title" },
      el("div", { class: "section-head" }, el("h2", { id: "race-title", text: "Speedup from threads" }), this.#button),
      el("p", {
        class: "quiet",
        text: "Trains with this seed and these settings from the start to the goal, first on all threads, then on one. Both runs are identical, bit for bit; only the time differs.",
      }),
      ...(cpuBundle.threads > 1 ? [this.#allThreads.element, this.#oneThread.element] : []),
      this.#message,
    );
    if (cpuBundle.threads > 1) return;
    this.#button.disabled = true;
    write(this.#message, `There is only one thread, so there is nothing to compare. ${cpuBundle.reason}`);
  }

  destroy(): void {
    this.#stop();
  }

  /** Runs the whole race. The open run pauses meanwhile. */
  async #start(): Promise<void> {
    const { run } = this;
    const { lab, goal } = run;
    if (!lab || !goal) {
      write(this.#message, "These settings have no goal, so there is no time to measure.");
      return;
    }
    const setup: RaceSetup = { lab, settings: { ...run.settings }, seed: run.seed, goal };
    const wasRunning = run.progress.running;
    this.#running = true;
    write(this.#button, "Stop measuring");
    run.pause();
    this.#allThreads.run = this.#oneThread.run = null;
    this.#oneThread.draw(null);
    const failure =
      (await this.#raceLane(this.#allThreads, run.cpuBundle.threads, setup)) ??
      (await this.#raceLane(this.#oneThread, 1, setup));
    cancelAnimationFrame(this.#frame);
    this.#running = false;
    write(this.#button, "Measure again");
    write(this.#message, failure?.message ?? this.#result());
    if (wasRunning && run.open) run.play();
  }

  /** Runs one lane to its end. Resolves to the error, if there was one. */
  async #raceLane(lane: Lane, threads: number, setup: RaceSetup): Promise<Error | null> {
    if (!this.#running) return null;
    write(this.#message, "");
    const raceRun = new RaceRun(this.run.cpuBundle, threads, setup);
    lane.run = raceRun;
    const timeout = setTimeout(
      () => raceRun.stop(new Error("The goal was not reached within three minutes, so the measurement was stopped.")),
      MAX_LANE_MS,
    );
    const draw = () => {
      const seconds = raceRun.startedAt === null ? 0 : (performance.now() - raceRun.startedAt) / 1000;
      // While the second lane runs, this replays the first one.
      this.#allThreads.draw(seconds);
      if (lane === this.#oneThread) this.#oneThread.draw(seconds);
      this.#frame = requestAnimationFrame(draw);
    };
    draw();
    const failure = await raceRun.done;
    clearTimeout(timeout);
    cancelAnimationFrame(this.#frame);
    lane.draw(raceRun.finished?.seconds ?? null);
    return failure;
  }

  #stop(): void {
    this.#running = false;
    this.#allThreads.run?.stop();
    this.#oneThread.run?.stop();
  }

  /** The result of the race in words. */
  #result(): string {
    const [all, one] = [this.#allThreads.run, this.#oneThread.run];
    if (!all?.finished || !one?.finished) return "";
    this.#allThreads.draw(all.finished.seconds);
    const speedup = one.finished.seconds / all.finished.seconds;
    const agreement = unitsInAgreement(all, one);
    const unit = one.setup.lab.about.unit;
    const same =
      agreement === null
        ? "The two runs differ, which is an error in Learnery."
        : `Both runs measured identical values in all ${formatCount(agreement, unit)}.`;
    return `${all.threads} threads are ${speedup.toFixed(2)} times as fast as one. ${same}`;
  }
}
