// The connection of a pupil's tab with the server of its class: tells how far the run is, and hears what the class
// does.

import { judge, type Challenge } from "../core/challenge";
import type { Run } from "../core/run";
import { LABS } from "../generated/labs";
import { rounded, thinned } from "./code";
import { metricOf } from "./result";
import { ClassServer, ServerProblem, waitAfter, type Progress, type Standing } from "./server";
import { recipeIn, recipeOf, taskOf } from "./task";
import { NOT_LOADED } from "./text";

/** The time between two messages while the run goes on, and while nothing has changed. */
const PROGRESS_MS = 2_000;
const IDLE_MS = 10_000;

export class PupilConnection {
  readonly server: ClassServer;
  #timer: ReturnType<typeof setInterval>;
  /** When the last attempt ended, answered or not. The first is not noted, so that a second follows soon: see `#tell`. */
  #attemptEndedAt = -Infinity;
  #attempts = 0;
  /** What was told last: the run and its units. */
  #told = "";
  #busy = false;
  #closed = false;
  /** How many requests have failed since one was answered, and when the next one may be sent. */
  #failures = 0;
  #pausedUntil = -Infinity;
  /** The challenge of the class; null without one, undefined before its link was read. */
  #challenge: Challenge | null | undefined;
  #leave = () => this.server.leave();

  /**
   * `run` is what the tab tells of; null while the class does a lesson. `task` is the link of the class's task. `heard`
   * gets each answer of the server; `failed` a sentence, and whether the connection has ended.
   */
  constructor(
    readonly run: Run | null,
    token: string,
    readonly task: string,
    readonly heard: (standing: Standing) => void,
    readonly failed: (sentence: string, isFinal: boolean) => void,
  ) {
    this.server = new ClassServer(token);
    this.#timer = setInterval(() => void this.#tell(), PROGRESS_MS);
    addEventListener("pagehide", this.#leave);
    void this.#tell();
  }

  /** Sends no more messages, and drops answers that are still to come. The pupil stays in the class. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    removeEventListener("pagehide", this.#leave);
  }

  async #readChallenge(): Promise<Challenge | null> {
    if (this.#challenge === undefined) {
      // A recipe holds no challenge, so a link that is one has none either.
      const task = recipeIn(this.task) === this.task ? null : await taskOf(this.task, "", LABS);
      this.#challenge = task && !("problem" in task) ? task.challenge : null;
    }
    return this.#challenge;
  }

  async #tell(): Promise<void> {
    const { run } = this;
    const present = run ? `${run.note.id} ${run.progress.units}` : "";
    const hasNews = run !== null && run.open && run.lab !== null && present !== this.#told;
    if (
      this.#busy ||
      performance.now() < this.#pausedUntil ||
      (!hasNews && performance.now() - this.#attemptEndedAt < IDLE_MS)
    )
      return;
    this.#busy = true;
    try {
      const progress = hasNews ? await progressOf(run, await this.#readChallenge()) : null;
      const standing = progress ? await this.server.progress(progress) : await this.server.here();
      if (this.#closed) return;
      this.#failures = 0;
      // If the server has dropped what was told (the class has another task), it is told again, even if nothing changed.
      if (!standing.told) this.#told = "";
      else if (progress) this.#told = present;
      this.heard(standing);
    } catch (error) {
      if (this.#closed) return;
      const isFinal = error instanceof ServerProblem && error.isFinal;
      if (isFinal) this.close();
      this.#pausedUntil = performance.now() + waitAfter(this.#failures++, PROGRESS_MS);
      this.failed(error instanceof ServerProblem ? error.message : NOT_LOADED, isFinal);
    }
    // A page that is reloaded says that it leaves. A message that follows shortly may have been sent before, so the server
    // does not take it for a return (`ON_ITS_WAY` in crates/class). So the first message is followed by another one soon.
    if (++this.#attempts > 1) this.#attemptEndedAt = performance.now();
    this.#busy = false;
  }
}

/** What a tab tells of its run; null if none is open. */
export async function progressOf(run: Run, challenge: Challenge | null): Promise<Progress | null> {
  const { lab, goal } = run;
  if (!run.open || !lab) return null;
  const { units } = run.progress;
  const { settings, seed, changes } = run.origin();
  const request = { lab, settings, seed, changes, device: run.device };
  const metric = metricOf(run);
  const curve = thinned(run.series.measured(metric, units));
  const target = goal?.metric === metric ? goal.target : null;
  const { bits } = run.bundle;
  const verdict = challenge && judge(challenge, run.settings, run.series, lab, run.changes);
  const done = verdict?.state === "done" ? Math.min(verdict.unit, units) : null;
  return {
    recipe: await recipeOf(request),
    seed,
    metric,
    target,
    units,
    bits,
    curve: { units: curve.units, values: curve.values.map(rounded) },
    challenge: done,
  };
}
