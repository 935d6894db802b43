// The page's side of the worker that checks texts and steps the live world (world-worker.ts). If a text keeps it busy
// for too long, or makes it fail, another worker takes its place.

import type { FromWorldWorker, ToWorldWorker, WorldAnswer, WorldRequest } from "./messages";

/** A request that takes longer has failed. All limits of a text are such that it takes milliseconds. */
const MAX_ANSWER_MS = 10_000;

interface Waiting {
  resolve: (answer: WorldAnswer) => void;
  reject: (error: Error) => void;
}

/** The part of a worker that is used here; tests have one of their own. */
export type WorkerLike = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

const startWorker = (): WorkerLike =>
  new Worker(new URL("./world-worker.ts", import.meta.url), { type: "module", name: "own world" });

export class Rules {
  #worker: WorkerLike | null = null;
  #waiting = new Map<number, Waiting>();
  #nextId = 0;
  /** Runs while the loaded worker has something to answer. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loaded = false;
  #ended = false;

  constructor(
    readonly start = startWorker,
    readonly maxAnswerMs = MAX_ANSWER_MS,
  ) {}

  /** Sends a request. The error says in a part of a sentence why there is no answer. */
  ask(request: WorldRequest): Promise<WorldAnswer> {
    if (this.#ended) return Promise.reject(new Error("the editor is closed"));
    const worker = (this.#worker ??= this.#open());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ ...request, id } satisfies ToWorldWorker);
      this.#watch();
    });
  }

  destroy(): void {
    this.#ended = true;
    this.#end("the editor is closed");
  }

  #open(): WorkerLike {
    const worker = this.start();
    this.#loaded = false;
    worker.onmessage = ({ data }: MessageEvent<FromWorldWorker>) => {
      if (data.type === "ready") this.#loaded = true;
      else if (data.type === "failed") return this.#end(data.message);
      else {
        this.#waiting.get(data.id)?.resolve(data);
        this.#waiting.delete(data.id);
      }
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#watch();
    };
    worker.onerror = (event) => {
      if (typeof event !== "string") event.preventDefault();
      this.#end("the editor's program could not be loaded");
    };
    return worker;
  }

  /** Ends a worker that does not answer. How long it takes to load depends on the network. */
  #watch(): void {
    if (!this.#loaded || this.#waiting.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#end("it took too long"), this.maxAnswerMs);
  }

  /** Ends the worker. The next request starts another one, which knows no world. */
  #end(why: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Error(why));
  }
}
