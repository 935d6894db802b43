// The page's side of the worker that computes for a fleet (fleet-worker.ts): starts it and its threads, exchanges
// messages, receives failures of any of its threads, and ends it.

import type { BundleChoice } from "../core/bundle";
import { openChannel } from "../core/channel";
import { awaitBundle } from "../core/dev-bundle";
import { Threads } from "../core/threads";
import type { Failed, LoadRequest, ThreadsRequest } from "../core/worker-messages";
import type { FleetLink } from "./link";
import type { FromFleetWorker, ToFleetWorker } from "./messages";

/** The folder of the bundle that computes. */
const BUNDLE_FOLDER = "fleet";
/**
 * The waits of a page that is being closed for its actors to leave: at most the first one where shared memory tells
 * when they have left, and always the second one elsewhere.
 */
const MAX_SHARED_LEAVE_MS = 300;
const UNSHARED_LEAVE_MS = 100;

/** This tab as a part of a fleet. After `failed` it cannot be used any more. */
export class FleetTab {
  #worker = createWorker("fleet");
  readonly #threads = new Threads(createWorker, (failed) => this.#fail(failed));
  /** Failures of any thread; a thread of the pool cannot post to the page. */
  #channel: BroadcastChannel | null = null;
  /** What the worker was told to load. */
  #loaded: LoadRequest | undefined;
  #closed = false;

  constructor(
    link: FleetLink,
    label: string,
    token: Uint8Array,
    readonly onMessage: (message: FromFleetWorker) => void,
  ) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromFleetWorker | ThreadsRequest>) => {
      if (this.#closed) return;
      if (data.type === "failed") this.#fail(data);
      else if (data.type === "threads") this.#startThreads(data);
      else this.onMessage(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail({ type: "failed", kind: "load", message: event.message || "The worker could not be loaded." });
    };
    this.#post({ type: "connect", link, label, token });
  }

  /** Loads the bundle that computes. `report` is called with sentences while a development server still builds it. */
  load(choice: BundleChoice, report: (sentence: string) => void): void {
    if (import.meta.env.DEV)
      awaitBundle(
        choice.name,
        BUNDLE_FOLDER,
        ({ text }) => report(text),
        () => this.#load(choice),
      );
    else this.#load(choice);
  }

  #load(choice: BundleChoice): void {
    const channel = `learnery-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
    this.#channel = openChannel(channel);
    if (this.#channel) this.#channel.onmessage = ({ data }: MessageEvent<Failed>) => this.#fail(data);
    const load: LoadRequest = {
      type: "load",
      bundle: choice.name,
      program: BUNDLE_FOLDER,
      threads: choice.threads,
      channel,
    };
    this.#loaded = load;
    this.#post(load);
  }

  #startThreads(request: ThreadsRequest): void {
    if (this.#loaded) this.#threads.start(request, this.#loaded);
  }

  pause(paused: boolean): void {
    this.#post({ type: "pause", paused });
  }

  /** Gives back what is unfinished; the answer is `left`. */
  leave(): void {
    this.#post({ type: "leave" });
  }

  /**
   * Leaves while the page is being closed. The browser ends the worker with the page, so the page stays until the
   * worker has sent its last messages. Without shared memory it cannot know when that is, and stays for a moment.
   */
  leaveNow(): void {
    if (this.#closed) return;
    const canShare = globalThis.crossOriginIsolated && typeof SharedArrayBuffer === "function";
    // One 32-bit number, which the worker sets to 1 when it has sent its last messages.
    const done = canShare ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
    this.#post({ type: "leave", done });
    const endMs = performance.now() + (done ? MAX_SHARED_LEAVE_MS : UNSHARED_LEAVE_MS);
    // The page waits in a loop, because the browser goes on with closing it as soon as this function returns.
    while (performance.now() < endMs && !(done && Atomics.load(done, 0) === 1));
  }

  /** Ends the worker at once. */
  close(): void {
    this.#closed = true;
    this.#channel?.close();
    this.#worker.terminate();
    this.#threads.close();
  }

  #post(message: ToFleetWorker): void {
    if (!this.#closed) this.#worker.postMessage(message);
  }

  /** Reports only the first failure, which is the cause of any others. */
  #fail(failed: Failed): void {
    if (this.#closed) return;
    this.close();
    this.onMessage(failed);
  }
}

/** A worker. Its first message makes it the fleet's worker or a thread of that. */
const createWorker = (name = "thread"): Worker =>
  new Worker(new URL("./fleet-worker.ts", import.meta.url), { type: "module", name });
