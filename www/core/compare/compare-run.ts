// One of several runs that are compared (see comparison.ts). A worker of its own trains it for as many units (training
// iterations) as its owner allows. Its progress is recorded by units, work (what the lab counts, such as world steps)
// and time.

import type { Columns, Goal, JsonValue, LabInfo, Progress, Request } from "../../generated/protocol";
import type { BundleChoice } from "../bundle";
import type { Contender } from "../contenders";
import { Emitter } from "../events";
import { sentenceEnd } from "../format";
import type { Settings } from "../link";
import { programOf } from "../program";
import type { TrainingPoint, Position } from "./pacing";
import type { ReplyOf } from "../requests";
import type { AnyView } from "../run-events";
import { Series, withGaps } from "../series";
import { interpolated, type Curve } from "./statistics";
import { Watchdog } from "../watchdog";
import type { Failed, FromWorker } from "../worker-messages";
import { WorkerLink } from "../worker-link";

/** When a run ends by itself. */
export interface Limits {
  /** Whether it ends at its goal. Ignored for a run that had reached the goal before it was resumed. */
  goal: boolean;
  units: number | null;
  /** Seconds of training. */
  seconds: number | null;
}

/** What a run trains. */
export type CompareSetup = Pick<Contender, "settings" | "seed" | "load" | "data"> & { lab: LabInfo; limits: Limits };

/** What ended a run: the goal, one of the limits, its owner, or a failure. */
export type Ending = "goal" | "units" | "seconds" | "stopped" | "failed";

interface CompareRunEvents {
  /** It was opened, has progressed, or has ended by itself; not after `close`. */
  changed: null;
  /** The run was opened and can be shown. */
  opened: null;
  view: AnyView;
}

/**
 * A run that may train for a limited number of units is requested unit by unit, to stop exactly there. A unit that
 * takes longer than `LONG_UNIT_SECONDS` is requested step by step, because the worker sends no views within a request.
 * If its steps turn out to be shorter than `SHORT_STEP_SECONDS`, whole units are requested again, because the requests
 * would take a large part of the time.
 */
const LONG_UNIT_SECONDS = 0.2;
const SHORT_STEP_SECONDS = 0.002;
/** The worker may take this long between two messages while it loads and opens the run, and for a step or a unit. */
const LOAD_MS = 60_000;
const STEP_MS = 120_000;

/** What the worker is doing. */
type Activity = "idle" | "stepping" | "running" | "pausing";

export class CompareRun extends Emitter<CompareRunEvents> {
  /** How far the run has come; null until it was opened. */
  position: Position | null = null;
  /** All settings of the run. */
  settings: Settings;
  goal: Goal | null = null;
  series: Series;
  /** Seconds of training, without pauses. */
  seconds = 0;
  /** Where the goal was reached; null before. Time and work are NaN if that was before the run was resumed. */
  reached: TrainingPoint | null = null;
  ending: Ending | null = null;
  /** Why the run has failed, as a sentence. */
  failure: string | null = null;
  /** Resolves when the run has ended. */
  readonly done: Promise<void>;
  /** The units, work and seconds of the run when it was opened, and after each message with new units. */
  readonly points: TrainingPoint[] = [];
  #resolve: () => void = () => {}; // replaced in the constructor
  #link: WorkerLink;
  #activity: Activity = "idle";
  /** The run trains until it has done this many units. */
  #allowed = 0;
  /** Up to when `seconds` has been counted, by `performance.now()`. */
  #countedUntil = 0;
  /** The seconds and the requests that the present unit has taken so far. */
  #unitTiming = { seconds: 0, requests: 0 };
  /** Whether whole units are requested, and not single steps. */
  #wholeUnits = true;
  /** Stays true, or the run would alternate between whole units and steps. */
  #stepsAreShort = false;
  /** The number of the request that gives the run the visitor's own data. */
  #dataRequest: number | null = null;
  #closed = false;
  #watchdog = new Watchdog(() =>
    this.fail(
      this.position ? "Its worker stopped answering. Start again." : "Its worker was not ready in time. Start again.",
    ),
  );

  constructor(
    bundle: BundleChoice,
    readonly threads: number,
    readonly setup: CompareSetup,
  ) {
    super();
    this.done = new Promise((resolve) => (this.#resolve = resolve));
    this.settings = setup.settings;
    this.series = new Series(setup.lab.about.metrics);
    this.#link = new WorkerLink({ ...bundle, threads }, programOf(setup.lab.about.id, setup.settings), (message) =>
      this.#receive(message),
    );
    this.#watchdog.expect(LOAD_MS);
  }

  /** True if neither the goal nor a limit will end the run. */
  get endless(): boolean {
    const { goal, units, seconds } = this.setup.limits;
    return !(goal && this.goal && !this.reached) && units === null && seconds === null;
  }

  /** True until the worker is closed. After the goal or a limit it still answers. */
  get alive(): boolean {
    return !this.#closed;
  }

  /** Lets the run train until it has done this many units. If it has done them already, it pauses. */
  allow(units: number): void {
    this.#allowed = Math.min(units, this.setup.limits.units ?? Infinity);
    this.#drive();
  }

  /** Ends the run and its worker. What was recorded stays. */
  close(): void {
    this.#end("stopped");
    this.#closeWorker();
  }

  /** Asks for a view. The event `view` follows. */
  requestView(seconds: number): void {
    if (this.alive && this.position) this.#request({ type: "view", seconds });
  }

  /** Sends a command to the stage, the lab's interactive picture. */
  command(command: JsonValue): void {
    if (this.alive) this.#link.send({ type: "command", command });
  }

  /**
   * Saves the run, with its fingerprint (a hash of all that it has learned). Resolves to null if it cannot be saved.
   */
  async save(): Promise<ReplyOf<"saved"> | null> {
    if (!this.alive || !this.position) return null;
    this.#watchdog.expect(STEP_MS);
    const request = { type: "save", networkOnly: false, wait: false, fingerprint: true } as const;
    return this.#link.ask(request).then(
      (saved) => saved as ReplyOf<"saved">,
      () => null,
    );
  }

  /** A metric over units, work or seconds. Units before a resumed run was opened have no seconds. */
  curve(metric: string, axis: keyof TrainingPoint): Curve {
    const { units } = this.series;
    const x = axis === "units" ? units : interpolated(this.points, units, axis);
    const y = withGaps(this.series.column(metric));
    const kept = units.flatMap((_, i) => (Number.isFinite(x[i]) ? [i] : []));
    return { x: kept.map((i) => x[i] as number), y: kept.map((i) => y[i] ?? null) };
  }

  /** Sends a request that the worker has to answer. */
  #request(request: Request): void {
    this.#watchdog.expect(STEP_MS);
    this.#link.send(request);
  }

  #receive(message: FromWorker): void {
    this.#watchdog.answered();
    this.#handle(message);
    if (!this.alive) return;
    // The next message is due as long as the worker opens the run or trains.
    if (!this.position) this.#watchdog.expect(LOAD_MS);
    else if (this.#activity !== "idle") this.#watchdog.expect(STEP_MS);
  }

  /** Handles the messages that matter here; the others, such as "loading", only show that the worker is alive. */
  #handle(message: FromWorker): void {
    switch (message.type) {
      case "ready":
        void this.#open();
        break;
      case "opened":
        this.#opened(message);
        break;
      case "configured":
        this.goal = message.goal; // the visitor's own data can have another goal
        break;
      case "progress":
        this.#advanced(message.progress, message.metrics);
        break;
      case "view":
        this.emit("view", message.view);
        break;
      case "refused":
        this.#refused(message);
        break;
      case "failed":
        this.fail(sentenceOf(message));
    }
  }

  /** A refused save is told where it was asked for, and a refused command to the stage changes nothing. */
  #refused({ request, message, id }: ReplyOf<"refused"> & { id?: number | null }): void {
    if (this.ending !== null || request === "save") return;
    if (request !== "command") this.fail(message);
    else if (id === this.#dataRequest) this.fail(`Your own data were refused: ${sentenceEnd(message)}`);
  }

  /** Starts the run, or resumes it from its checkpoint. */
  async #open(): Promise<void> {
    const { lab, settings, seed, load } = this.setup;
    if (!load) return void this.#link.send({ type: "start", lab: lab.about.id, settings, seed });
    try {
      const bytes = await load();
      if (this.ending === null) this.#link.send({ type: "resume", bytes });
    } catch (error) {
      this.fail(`The saved run could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #opened({ run, metrics, progress }: ReplyOf<"opened">): void {
    if (this.ending !== null) return;
    const { lab, settings, load, data } = this.setup;
    if (!load && data) this.#dataRequest = this.#link.send({ type: "command", command: data });
    this.goal = run.goal ?? null;
    this.settings = run.config;
    // A branch may change settings that can change during a run; those that differ from its checkpoint are set.
    const wanted = lab.fields.map((field) => [field, settings[field.name] ?? field.default] as const);
    const changes = wanted.filter(([{ live, name }, value]) => live && value !== run.config[name]);
    if (load && changes.length > 0) {
      const changed = Object.fromEntries(changes.map(([{ name }, value]) => [name, value]));
      this.settings = { ...run.config, ...changed };
      this.#request({ type: "configure", settings: changed });
    }
    this.series.append(metrics);
    this.position = { units: progress.units, work: progress.unitsWork };
    this.points.push({ ...this.position, seconds: 0 });
    if (typeof progress.solvedAt === "number") this.reached = { units: progress.solvedAt, work: NaN, seconds: NaN };
    this.emit("opened", null);
    this.#checkLimits(); // a saved run may be beyond its last unit already
    this.#drive();
    this.emit("changed", null);
  }

  #advanced(progress: Progress, metrics: Columns): void {
    if (!this.position) return;
    const now = performance.now();
    if (this.#activity !== "idle") {
      const seconds = (now - this.#countedUntil) / 1000;
      this.seconds += seconds;
      this.#countedUntil = now;
      if (this.#activity === "stepping") this.#timeRequest(seconds, progress.units > this.position.units);
    }
    if (!progress.running && this.#activity !== "idle") this.#activity = "idle";
    this.series.append(metrics);
    const sameUnit = this.position.units === progress.units;
    this.position = { units: progress.units, work: progress.unitsWork };
    if (!sameUnit) this.points.push({ ...this.position, seconds: this.seconds });
    if (this.ending === null) {
      if (typeof progress.solvedAt === "number" && !this.reached) {
        const work = progress.solvedWork ?? progress.unitsWork;
        this.reached = { units: progress.solvedAt, work, seconds: this.seconds };
        if (this.setup.limits.goal) this.#end("goal");
      }
      this.#checkLimits();
    }
    this.#drive();
    this.emit("changed", null);
  }

  #checkLimits(): void {
    const { units, seconds } = this.setup.limits;
    if (this.ending !== null || !this.position) return;
    if (units !== null && this.position.units >= units) this.#end("units");
    else if (seconds !== null && this.seconds >= seconds) this.#end("seconds");
  }

  /** Notes how long a request took, and decides at the end of a unit how the next one is requested. */
  #timeRequest(seconds: number, unitHasEnded: boolean): void {
    this.#unitTiming.seconds += seconds;
    this.#unitTiming.requests++;
    if (!unitHasEnded) return;
    const { seconds: unitSeconds, requests } = this.#unitTiming;
    const hadShortSteps = !this.#wholeUnits && unitSeconds / requests < SHORT_STEP_SECONDS;
    if (hadShortSteps) this.#stepsAreShort = true;
    this.#wholeUnits = this.#stepsAreShort || unitSeconds < LONG_UNIT_SECONDS;
    this.#unitTiming = { seconds: 0, requests: 0 };
  }

  /** Sends the next request to run, step or pause. Does nothing while a step or a pause is to be answered. */
  #drive(): void {
    if (!this.position || !this.alive || this.#activity === "stepping" || this.#activity === "pausing") return;
    const left = this.ending === null ? this.#allowed - this.position.units : 0;
    if (this.#activity === "running") {
      if (left === Infinity) return;
      // A running worker cannot stop at a given unit. After the pause it is requested piece by piece.
      this.#activity = "pausing";
      this.#request({ type: "pause" });
    } else if (left > 0) {
      this.#activity = left === Infinity ? "running" : "stepping";
      this.#countedUntil = performance.now();
      if (left === Infinity) this.#request({ type: "run", stepsPerSecond: null });
      else this.#request({ type: "step", unit: this.#wholeUnits });
    }
  }

  /** Ends the run with the reason in a sentence. If it has ended before, only its worker is closed. */
  fail(sentence: string): void {
    if (this.ending !== null) {
      if (!this.alive) return;
      this.#closeWorker();
      return this.emit("changed", null);
    }
    this.failure = sentence;
    this.#end("failed");
    this.#closeWorker();
    this.emit("changed", null);
  }

  #end(ending: Ending): void {
    this.ending ??= ending;
    this.#resolve();
  }

  #closeWorker(): void {
    this.#watchdog.stop();
    this.#closed = true;
    this.#link.close();
    this.#activity = "idle";
  }
}

/** Why the worker has ended, in a sentence. */
function sentenceOf({ kind, message }: Failed): string {
  if (kind === "memory" || kind === "noMemory")
    return "There is not enough memory for this run beside the others. Remove a run, or train one after the other.";
  if (kind === "fetch") return "Its files could not be loaded. Check the connection and start again.";
  if (kind === "load") return `Its lab could not be started (${message}). Start again.`;
  return `Training crashed: ${sentenceEnd(message)}`;
}
