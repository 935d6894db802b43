// The open run, as the page knows it: its worker, settings, metrics, pace and failures. All panels share this object,
// call its methods and subscribe to its events. It draws nothing.
//
// A run consists of units. A unit is one training iteration; the protocol, links and stored files count runs in units,
// and each lab has its own word for them on the page. A unit consists of steps, which are the smallest pieces of work
// that training can pause between. The pace is a number of steps per second.

import type {
  Change,
  Columns,
  Goal,
  GpuInfo,
  JsonValue,
  LabInfo,
  LabTools,
  Progress,
  Reply,
  Request,
} from "../generated/protocol";
import { Questions, ToolRefusal, type AskOptions, type ToolAnswer, type ToolId, type ToolInput } from "./ask";
import type { BundleChoice, Device } from "./bundle";
import type { FromWorker, Ready, WorkerFailure } from "./worker-messages";
import { Emitter } from "./events";
import { isSolved } from "./goal";
import type { Incoming } from "./incoming";
import type { Settings } from "./link";
import { programOf } from "./program";
import { nextId, Superseded, type ReplyOf } from "./requests";
import { RunClock } from "./run-clock";
import type { RunEvents } from "./run-events";
import { startOf, type RunStart } from "./recipe";
import { Series } from "./series";
import { newNote, type RunNote } from "./store";
import { savePace, slowed, loadPace } from "./pace";
import { Watchdog } from "./watchdog";
import type { WorkerLink } from "./worker-link";

/** What a save holds, and when it is taken. */
export interface SaveOptions {
  /** Saves only the network, without its optimiser, the worlds and the history. */
  networkOnly?: boolean;
  /** Lets the current unit end at the present pace; otherwise the worker completes it at once. */
  wait?: boolean;
  /** Adds the run's fingerprint to the answer. */
  fingerprint?: boolean;
  /** Asks for the run's recipe instead of a checkpoint. */
  recipe?: boolean;
}

// How long the worker may take to answer some requests before it counts as hung. Other requests have the watchdog's
// default.
/** Until a worker with a fetched bundle is ready. */
const LOAD_MS = 60_000;
/** Opening a run may compute tables first, such as the cube's, which takes long on a slow or busy machine. */
const OPEN_MS = 60_000;
/** A step, or the rest of a unit. A change of the seed waits for the end of the unit too. */
const STEP_MS = 120_000;
/** A save completes the current unit first. */
const SAVE_MS = 60_000;
/** Opening a GPU compiles its kernels, which takes long on adapters that compute in software. */
const OPEN_GPU_MS = 120_000;

/** The progress of a run that has not begun. */
export const NO_PROGRESS: Progress = {
  units: 0,
  work: 0,
  workPerSecond: 0,
  unitsPerSecond: 0,
  running: false,
  stepsPerSecond: null,
  solvedAt: null,
  solvedWork: null,
  unitsWork: 0,
};

/** The reply to a request for which there is no worker. */
function superseded(): Promise<never> {
  const reply = Promise.reject(new Superseded());
  reply.catch(() => {}); // whoever waits for it gets the error too
  return reply;
}

export class Run extends Emitter<RunEvents> {
  ready: Ready | null = null;
  /** The lab whose bundle the worker has, or is loading. */
  loaded: LabInfo | null = null;
  /** The program that the worker has, or is loading (core/program.ts). */
  #program: string | null = null;
  /** The lab of the open run. */
  lab: LabInfo | null = null;
  settings: Settings = {};
  seed = 0;
  /** What changed during the run. */
  changes: Change[] = [];
  goal: Goal | null = null;
  /**
   * The units when the run continued from a file with only a network, so that it cannot be repeated from its start; or
   * null.
   */
  networkSince: number | null = null;
  /** The bundle of the worker. */
  bundle: BundleChoice;
  /** The GPU that the run computes on; null on the CPU, and until the GPU is open. */
  gpu: GpuInfo | null = null;
  progress: Progress = NO_PROGRESS;
  series = new Series([]);
  /** Steps per second; null for max speed. */
  pace: number | null = loadPace();
  /** What a checkpoint does not contain, such as the running time. */
  note: RunNote = newNote();
  /** Whether a replay makes its units, one after the other. */
  isReplaying = false;
  readonly #clock = new RunClock();
  /** True if the losses are no longer finite numbers. */
  diverged = false;
  #link: WorkerLink | null = null;
  /** What resolves when the run that was asked for last is open. */
  #opening: Promise<unknown> | null = null;
  /** The numbers of the requests for other seeds that have not been answered. */
  readonly #reseeds = new Set<number>();
  /** The settings and the seed at the start of the run. */
  #start: Omit<RunStart, "changes"> = { settings: {}, seed: 0 };
  /** A question waits for the end of the unit, as a step does. */
  readonly #questions = new Questions((request) => {
    if (request.type === "ask") return this.#request(request, STEP_MS);
    this.#link?.send(request); // a question that has just been answered has no further answer
    return true;
  });
  #open = false;
  /** Whether the worker was last asked to train on. `progress.running` changes later, with the worker's answer. */
  #isWanted = false;
  /** Whether it trains at slow speed at most, whatever `pace` is. */
  #isSlowed = false;
  #watchdog = new Watchdog(() => {
    if (this.ready) this.#fail({ kind: "silent", message: "The worker has not answered for a while." });
    else this.#fail({ kind: "load", message: "The worker was not ready in time." });
  });

  /** `cpuBundle` is the bundle with which this browser computes on the CPU. */
  constructor(readonly cpuBundle: BundleChoice) {
    super();
    this.bundle = cpuBundle;
  }

  /** What the run computes on. */
  get device(): Device {
    return this.bundle.name === "gpu" ? "gpu" : "cpu";
  }

  /**
   * Takes over a worker whose bundle has been fetched, in place of the present one. The event `ready` or `failed`
   * follows, and `opened` if the worker has opened a run already, whose note is `note`.
   */
  adopt(incoming: Incoming, note: RunNote | null = null): void {
    this.close();
    const { lab, program, ready, opened, bundle } = incoming;
    this.ready = ready;
    this.bundle = bundle;
    this.gpu = null;
    this.loaded = lab;
    this.#program = program;
    if (this.lab !== lab) {
      // Nothing of another lab's run is shown until one of this lab is open.
      this.lab = this.goal = null;
      this.series = new Series([]);
      this.progress = NO_PROGRESS;
    }
    this.#link = incoming.handOver((message) => this.#receive(message));
    if (ready) {
      this.emit("ready", ready);
    } else {
      this.#watchdog.expect(LOAD_MS);
      this.#link.begin();
    }
    if (!opened) return;
    this.#openGpu();
    this.#opened(opened, note);
  }

  /** Ends the worker. `reason` is what its requests reject with. */
  close(reason?: Error): void {
    this.#link?.close(reason);
    this.#link = null;
    this.#reseeds.clear();
    this.#open = false;
    this.#isWanted = false;
    this.#watchdog.stop();
    this.#questions.close();
    this.#clock.set(false, this.note);
    this.progress = { ...this.progress, running: false, workPerSecond: 0, unitsPerSecond: 0 };
    this.emit("closed", null);
  }

  /** True if the worker has the program for runs of this lab with these settings, and answers. */
  isReadyFor(lab: LabInfo, settings: Settings): boolean {
    const hasProgram = this.loaded === lab && this.#program === programOf(lab.about.id, settings);
    return this.#link !== null && this.ready !== null && hasProgram;
  }

  /** True while the worker holds this run and answers. */
  get open(): boolean {
    return this.#open;
  }

  /**
   * The settings and the seed at the start of the run, and what changed since. `settings` may hold a change that waits
   * for the end of the unit, so the start is that of the opened run.
   */
  origin(): RunStart {
    return { ...this.#start, changes: startOf({}, 0, this.changes).changes };
  }

  // Many of the requests that follow return a promise of the worker's reply, which comes after the event. Nobody has to
  // wait for it. It rejects with a `Refusal`, with `Superseded` if another run is opened or the worker is ended before,
  // and with the reason if the worker fails.

  start(lab: LabInfo, settings: Settings, seed: number, note: RunNote | null = null): Promise<ReplyOf<"opened">> {
    return this.#requestRun({ type: "start", lab: lab.about.id, settings, seed }, note);
  }

  resume(bytes: Uint8Array<ArrayBuffer>, note: RunNote | null): Promise<ReplyOf<"opened">> {
    return this.#requestRun({ type: "resume", bytes }, note);
  }

  /** Asks the worker to open a run. */
  #requestRun(request: Request, note: RunNote | null): Promise<ReplyOf<"opened">> {
    const link = this.#link;
    const opened = this.#ask<"opened">(request, OPEN_MS).then((reply) => {
      if (this.#link !== link) throw new Superseded();
      this.#opened(reply, note);
      // What follows is meant for this run, and the next one has been asked for already.
      if (this.#opening !== opened) throw new Superseded();
      return reply;
    });
    this.#opening = opened;
    opened.catch(() => {}); // whoever waits for it gets the error too
    this.#openGpu();
    return opened;
  }

  /** Moves the run, which has just been opened, to the GPU if the bundle is the one for that. */
  #openGpu(): void {
    this.gpu = null;
    if (this.device === "gpu") this.#request({ type: "useGpu", software: true }, OPEN_GPU_MS);
  }

  play(): void {
    this.#isWanted = this.#request({ type: "run", stepsPerSecond: this.#isSlowed ? slowed(this.pace) : this.pace });
  }

  pause(): void {
    this.#isWanted = false;
    this.#request({ type: "pause" });
  }

  setPace(stepsPerSecond: number | null): void {
    savePace(stepsPerSecond);
    this.#applyPace(stepsPerSecond);
  }

  /** Uses the pace that the visitor chose last, or the one that suits the lab. */
  usePace(paceOfLab: number | null | undefined): void {
    const pace = loadPace(paceOfLab);
    if (pace !== this.pace) this.#applyPace(pace);
  }

  #applyPace(stepsPerSecond: number | null): void {
    this.pace = stepsPerSecond;
    if (this.#isWanted) this.play();
  }

  /** Trains at slow speed at most, or at the chosen pace again. Returns whether a running run has a faster pace. */
  setSlowed(isSlowed: boolean): boolean {
    this.#isSlowed = isSlowed;
    const isSlower = this.#isWanted && slowed(this.pace) !== this.pace;
    if (isSlower) this.play();
    return isSlower;
  }

  /** Makes a single step, and pauses. */
  step(): void {
    this.#isWanted = false;
    this.#request({ type: "step", unit: false }, STEP_MS);
  }

  /** Makes a single step like `step`, and resolves when it is made. */
  finishStep(): Promise<ReplyOf<"progress">> {
    this.#isWanted = false;
    return this.#ask({ type: "step", unit: false }, STEP_MS);
  }

  /** Runs to the end of the unit, and pauses. */
  finishUnit(): Promise<ReplyOf<"progress">> {
    this.#isWanted = false;
    return this.#ask({ type: "step", unit: true }, STEP_MS);
  }

  /** Changes live settings. */
  configure(settings: Settings): Promise<ReplyOf<"configured">> {
    return this.#ask({ type: "configure", settings });
  }

  /** Goes on with the random numbers of another seed, when the unit has ended. */
  reseed(seed: number): Promise<ReplyOf<"configured">> {
    const id = nextId();
    this.#reseeds.add(id);
    return this.#ask({ type: "reseed", seed, id }, STEP_MS);
  }

  /** Sends a command, such as a move, and its file to the lab's interactive picture. `refused` follows a refusal. */
  command(command: JsonValue, bytes?: Uint8Array<ArrayBuffer>): void {
    if (!this.open) return;
    this.#link?.send({ type: "command", command, ...(bytes && { bytes }) });
    this.emit("command", command);
  }

  /** Sends a command that asks the stage for a text, such as a file, and resolves to that text. */
  async read(command: JsonValue): Promise<string> {
    const { text } = await this.#ask<"executed">({ type: "command", command });
    return text ?? "";
  }

  /** Gives the run data of the visitor's own, by a command, when the unit has ended. */
  setData(command: JsonValue): Promise<ReplyOf<"configured">> {
    const configured = this.#ask<"configured">({ type: "command", command }, STEP_MS);
    this.emit("command", command);
    return configured;
  }

  /** Asks one of the lab's tools about the network of the run. Rejects with a `ToolRefusal` if it cannot answer. */
  async ask<Tool extends ToolId>(
    tool: Tool,
    input: ToolInput<Tool>,
    options: AskOptions<Tool> = {},
  ): Promise<ToolAnswer<Tool>> {
    if (!this.lab?.toolsApart) {
      if (options.source) throw new ToolRefusal("the tools of this lab answer about the open run only", null);
      return this.#questions.ask(tool, input, options);
    }
    const lab = this.lab.about.id as keyof LabTools;
    const { askApart, networkOf } = await import("./tools-worker");
    const source = options.source ?? (await networkOf(this));
    return askApart(lab, this.cpuBundle, tool, input, { ...options, source });
  }

  /** Asks for the peak speed of the machine. The event `peak` follows if the lab's bundle can measure it. */
  measurePeak(): void {
    this.#request({ type: "peak" });
  }

  /** Asks for a view, and advances the stage by `seconds`: the time on the page since the last request. */
  requestView(seconds: number): void {
    this.#request({ type: "view", seconds });
  }

  /** Saves the run at the end of the current unit: with `wait` at the present pace, otherwise as soon as possible. */
  save({ networkOnly = false, wait = false, fingerprint = false, recipe = false }: SaveOptions = {}): Promise<
    ReplyOf<"saved">
  > {
    const request = {
      type: "save",
      networkOnly,
      wait,
      fingerprint,
      ...(recipe && { recipe: this.bundle.bits }),
    } as const;
    // At a slow pace the unit may take long, so the watchdog does not wait for this answer.
    if (wait && this.open && this.#link) return this.#link.ask(request) as Promise<ReplyOf<"saved">>;
    return this.#ask(request, SAVE_MS);
  }

  /** A replay says that it begins or has ended. */
  setReplaying(isReplaying: boolean): void {
    this.isReplaying = isReplaying;
    this.emit("replaying", isReplaying);
  }

  /** Seconds this run has been running, over all visits. */
  seconds(): number {
    return this.#clock.seconds(this.note);
  }

  /** The note saved beside a checkpoint. */
  currentNote(): RunNote {
    return { ...this.note, seconds: this.seconds() };
  }

  /** Breaks the worker on purpose, to show and test what follows. */
  fail(how: "panic" | "poolPanic" | "memory"): void {
    this.#request({ type: "fail", how });
  }

  /** Sends a request that the worker has to answer within `answerMs`. Returns false without a ready worker. */
  #request(request: Request, answerMs?: number): boolean {
    if (!this.#link || !this.ready) return false;
    this.#watchdog.expect(answerMs);
    this.#link.send(request);
    return true;
  }

  /** Sends a request like `#request`, and resolves to its reply. */
  #ask<Type extends Reply["type"]>(request: Request & { id?: number }, answerMs?: number): Promise<ReplyOf<Type>> {
    if (!this.#link || !this.ready) return superseded();
    this.#watchdog.expect(answerMs);
    return this.#link.ask(request) as Promise<ReplyOf<Type>>;
  }

  #receive(message: FromWorker): void {
    this.#watchdog.answered();
    switch (message.type) {
      case "loading":
      case "fetched":
        break; // came before the worker was taken over
      case "ready":
        this.ready = message;
        this.emit("ready", message);
        break;
      case "failed":
        this.#fail({ kind: message.kind, message: message.message });
        break;
      case "opened":
      case "executed":
        break; // whoever has asked for it takes it
      case "progress":
        this.#advanced(message.progress, message.metrics);
        break;
      case "answer":
        this.#questions.receive(message);
        break;
      case "device":
        this.gpu = message.gpu ?? null;
        if (message.failed) this.#fail({ kind: "device", message: message.message ?? "" });
        else this.emit("device", message);
        break;
      case "configured":
        this.settings = message.config;
        this.seed = message.seed;
        this.changes = message.changes;
        this.goal = message.goal;
        // The worker continues a run with another seed on the CPU, so a run on a GPU is moved to it again.
        if (message.id !== undefined && this.#reseeds.delete(message.id)) this.#openGpu();
        this.emit("configured", this.settings);
        break;
      case "refused":
        if (message.request === "ask") this.#questions.refuse(message.id, message.message);
        else this.emit("refused", message);
        break;
      default:
        this.emit(message.type, "view" in message ? message.view : message);
    }
  }

  #opened({ run: info, metrics, progress }: ReplyOf<"opened">, note: RunNote | null): void {
    this.#open = true;
    this.#isWanted = false; // a worker opens a run paused
    this.lab = this.loaded;
    this.settings = info.config;
    this.seed = info.seed;
    this.changes = info.changes;
    this.#start = startOf(info.config, info.seed, info.changes);
    this.goal = info.goal ?? null;
    this.networkSince = info.networkSince ?? null;
    this.note = note ?? newNote();
    this.#clock.open(progress.units, this.note);
    this.series = new Series(this.lab?.about.metrics ?? []);
    this.series.append(metrics);
    this.progress = progress;
    this.diverged = this.series.diverged();
    this.emit("opened", info);
    this.emit("diverged", this.diverged);
    this.emit("progress", progress);
  }

  #advanced(progress: Progress, metrics: Columns): void {
    const solvedNow = isSolved(progress) && !isSolved(this.progress);
    this.#clock.notice(progress.running, progress.units > this.progress.units);
    this.progress = progress;
    this.series.append(metrics);
    this.#clock.set(progress.running, this.note);
    if (solvedNow) {
      this.note.solvedSeconds = this.#clock.isTimed ? this.seconds() : null;
      this.note.solvedWork = progress.solvedWork ?? progress.unitsWork;
    }
    if (metrics.units.length > 0) {
      const diverged = this.series.diverged();
      if (diverged !== this.diverged) this.emit("diverged", (this.diverged = diverged));
    }
    this.emit("progress", progress);
    if (solvedNow) this.emit("solved", progress);
  }

  #fail(failure: WorkerFailure): void {
    this.close(new Error(failure.message));
    this.emit("progress", this.progress);
    this.emit("failed", failure);
  }
}
