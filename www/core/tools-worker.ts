// The worker in which a lab's tools answer, for labs whose tools have a bundle of their own. So neither training nor
// the picture waits for a tool, and a question goes on when another lab is opened. The bundle is loaded when the first
// question is asked. The worker is the one of a session (worker.ts) with another bundle.

import type { LabTools } from "../generated/protocol";
import { Questions, ToolRefusal, type AskOptions, type ToolAnswer, type ToolId, type ToolInput } from "./ask";
import type { BundleChoice } from "./bundle";
import { awaitBundle } from "./dev-bundle";
import { Superseded } from "./requests";
import { WorkerLink } from "./worker-link";
import type { FromWorker } from "./worker-messages";

/** A worker without a question ends after this time. It keeps its threads and its memory until then. */
const IDLE_MS = 60_000;
/** A worker that has not answered a cancelled question after this time is ended, unless it has another one. */
const CANCEL_MS = 3_000;

const NOT_LOADED_TEXT = "What answers the question could not be loaded. Check the network connection.";
const NO_MEMORY_TEXT = "There is not enough memory to answer the question.";

/** The answer to a question that was cancelled before anything was known. */
const NOTHING = { output: null, partial: true, units: null };

/** The open workers, by lab. */
const workers = new Map<string, ToolsWorker>();

/**
 * Asks a tool of a lab about the network of the checkpoint `source`, whatever run is open. Rejects with a `ToolRefusal`
 * if the tool cannot answer.
 */
export async function askApart<Tool extends ToolId>(
  lab: keyof LabTools,
  bundle: BundleChoice,
  tool: Tool,
  input: ToolInput<Tool>,
  options: AskOptions<Tool> & { source: Uint8Array<ArrayBuffer> },
): Promise<ToolAnswer<Tool>> {
  let worker = workers.get(lab);
  if (!worker) {
    const created = new ToolsWorker(`${lab}-tools`, bundle, () => workers.get(lab) === created && workers.delete(lab));
    workers.set(lab, created);
    worker = created;
  }
  return worker.ask(tool, input, options);
}

/** What is used of the open run (run.ts). */
interface SavedRun {
  readonly open: boolean;
  save: (options: { networkOnly: boolean }) => Promise<{ bytes: Uint8Array<ArrayBuffer> }>;
}

/** Saves the network of the open run, between two units, and resolves to the file. */
export async function networkOf(run: SavedRun): Promise<Uint8Array<ArrayBuffer>> {
  if (!run.open) throw new ToolRefusal("no run is open", null);
  try {
    return (await run.save({ networkOnly: true })).bytes;
  } catch (error) {
    throw new ToolRefusal(error instanceof Superseded ? "the run was closed" : (error as Error).message, null);
  }
}

class ToolsWorker {
  #link: WorkerLink | null = null;
  readonly #questions = new Questions((request) => {
    this.#link?.send(request);
    return this.#link !== null;
  });
  /** Resolves when the bundle has been loaded. */
  readonly #ready: Promise<void>;
  #setReady: () => void = () => {};
  #refuse: (refusal: ToolRefusal) => void = () => {};
  #isClosed = false;
  /** The checkpoint that the worker was given last. */
  #source: Uint8Array | null = null;
  #openQuestions = 0;
  /** The open questions that were not cancelled. */
  #wantedQuestions = 0;
  /** Ends the worker when nobody has asked it for a while. */
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** `onClosed` is called when the worker has ended. */
  constructor(
    program: string,
    bundle: BundleChoice,
    readonly onClosed: () => void,
  ) {
    this.#ready = new Promise((resolve, reject) => {
      this.#setReady = resolve;
      this.#refuse = reject;
    });
    this.#ready.catch(() => {}); // whoever asks gets the error too
    const create = () => (this.#link = new WorkerLink(bundle, program, (message) => this.#receive(message)));
    // Only a development server may still be building the bundle.
    if (import.meta.env.DEV)
      awaitBundle(bundle.name, program, (news) => news.state === "failed" && this.#close(news.text), create);
    else create();
  }

  async ask<Tool extends ToolId>(
    tool: Tool,
    input: ToolInput<Tool>,
    options: AskOptions<Tool> & { source: Uint8Array<ArrayBuffer> },
  ): Promise<ToolAnswer<Tool>> {
    const { signal, source } = options;
    if (signal?.aborted) return NOTHING;
    clearTimeout(this.#idle);
    this.#openQuestions++;
    this.#wantedQuestions++;
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancel = (): void => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = () => {
        isWanted = false;
        this.#wantedQuestions--;
        // A worker that others wait for goes on: it takes turns, and ends the cancelled question after its step.
        timer = setTimeout(() => this.#wantedQuestions === 0 && this.#close(), CANCEL_MS);
        resolve();
      };
    });
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      await Promise.race([this.#ready, cancelled]);
      if (signal?.aborted) return NOTHING;
      if (this.#source !== source) {
        this.#source = source;
        this.#link?.send({ type: "source", bytes: source.slice() }); // sending takes the bytes away
      }
      return await this.#questions.ask(tool, input, options);
    } catch (error) {
      if (signal?.aborted) return NOTHING;
      throw error;
    } finally {
      // An abort after the answer is no cancellation of the question.
      signal?.removeEventListener("abort", cancel);
      clearTimeout(timer);
      if (isWanted) this.#wantedQuestions--;
      if (--this.#openQuestions === 0 && !this.#isClosed) this.#idle = setTimeout(() => this.#close(), IDLE_MS);
    }
  }

  #receive(message: FromWorker): void {
    if (message.type === "ready") this.#setReady();
    else if (message.type === "answer") this.#questions.receive(message);
    else if (message.type === "failed") {
      const { kind } = message;
      const isMissing = kind === "fetch" || kind === "load";
      const isMemory = kind === "memory" || kind === "noMemory";
      this.#close(isMissing ? NOT_LOADED_TEXT : isMemory ? NO_MEMORY_TEXT : `The tool has failed: ${message.message}`);
    }
  }

  /** Ends the worker. Open questions are refused for this reason. */
  #close(reason?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#link?.close();
    this.#link = null;
    this.onClosed();
    this.#questions.close(reason);
    this.#refuse(new ToolRefusal(reason ?? "the worker has ended", null));
  }
}
