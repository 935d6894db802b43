// The page's side of a session worker (www/core/worker.ts), which trains one run: starts it, exchanges messages with
// it, receives failures of any of its threads, and ends it.

import type { Reply, Request, ToolsRequest } from "../generated/protocol";
import type { BundleChoice } from "./bundle";
import { openChannel } from "./channel";
import { nextId, Requests, Superseded } from "./requests";
import { Threads } from "./threads";
import type { Failed, FromWorker, LoadRequest, ThreadsRequest, ToWorker } from "./worker-messages";

/** A session worker. After `failed` it cannot be used any more: close it and create another. */
export class WorkerLink {
  /** Undefined where the browser refuses to create it. */
  #worker: Worker | undefined;
  readonly #threads = new Threads(createWorker, (failed) => this.#fail(failed));
  readonly #requests = new Requests();
  #channel: BroadcastChannel | null = null;
  /** Receives the messages of the worker. */
  onMessage: (message: FromWorker) => void;
  /** True after a failure or `close`; messages that still arrive are ignored. */
  #closed = false;

  /** With `hold` the bundle is only fetched at first, and `begin` starts it. */
  constructor(choice: BundleChoice, program: string, onMessage: (message: FromWorker) => void, { hold = false } = {}) {
    this.onMessage = onMessage;
    // After a panic in a pool thread the worker itself is blocked and cannot post. Every thread can still reach the
    // page through this session's broadcast channel.
    const channel = `learnery-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
    const load: LoadRequest = { type: "load", bundle: choice.name, program, threads: choice.threads, hold, channel };
    try {
      this.#listen(load);
      this.#post(load);
    } catch (error) {
      // The owner has this object only after the constructor.
      queueMicrotask(() => this.#fail({ type: "failed", kind: "load", message: String(error) }));
    }
  }

  #listen(load: LoadRequest): void {
    // Without a channel, a panic in a thread of the pool is noticed by its silence.
    this.#channel = openChannel(load.channel);
    if (this.#channel) this.#channel.onmessage = ({ data }: MessageEvent<Failed>) => this.#fail(data);
    this.#worker = createWorker("session");
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker | ThreadsRequest>) => {
      if (data.type === "failed") this.#fail(data);
      else if (this.#closed) return;
      else if (data.type === "threads") this.#threads.start(data, load);
      else {
        try {
          this.onMessage(data);
        } finally {
          this.#requests.receive(data);
        }
      }
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // Without a message its script has not arrived.
      if (event.message) this.#fail({ type: "failed", kind: "load", message: event.message });
      else this.#fail({ type: "failed", kind: "fetch", message: "The worker could not be loaded." });
    };
  }

  /** Starts a bundle that was held. */
  begin(): void {
    this.#post({ type: "begin" });
  }

  /**
   * Sends a request, with a number unless it has one, and returns the number. Its bytes, of a file, are transferred to
   * the worker, not copied.
   */
  send(request: (Request | ToolsRequest) & { id?: number }): number {
    const numbered = { id: nextId(), ...request };
    this.#post(numbered, "bytes" in request && request.bytes ? [request.bytes.buffer] : []);
    return numbered.id;
  }

  /**
   * Sends a request and resolves to its reply, after `onMessage` has had it. Rejects as `Requests.reply` says, with the
   * reason of `close`, and with what has failed.
   */
  ask(request: Request & { id?: number }): Promise<Reply> {
    const reply = this.#requests.reply(this.send(request));
    if (this.#closed) this.#requests.drop(new Superseded());
    return reply;
  }

  /** Ends the worker at once, even in the middle of a computation. `reason` is what its requests reject with. */
  close(reason: Error = new Superseded()): void {
    this.#end();
    this.#requests.drop(reason);
  }

  #end(): void {
    this.#closed = true;
    this.#channel?.close();
    this.#worker?.terminate();
    this.#threads.close();
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  /** Reports only the first failure, which is the cause of any others. */
  #fail(failed: Failed): void {
    if (this.#closed) return;
    this.#end();
    this.onMessage(failed); // which may close it for a reason of its own
    this.#requests.drop(new Error(failed.message));
  }
}

/** A worker. Its first message makes it a session worker or a thread of one. */
const createWorker = (name = "thread"): Worker =>
  new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });
