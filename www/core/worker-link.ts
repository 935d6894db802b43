// One session worker, seen from the page: starts it, speaks the protocol, hears of failures in any of its
// threads, ends it.

import type { Request } from "../generated/protocol";
import type { BundleChoice } from "./bundle";
import type { Failed, FromWorker, LoadRequest, ToWorker } from "./worker-messages";

/** A session worker. It is lost after `failed`: close it and open another. */
export class WorkerLink {
  readonly #worker: Worker;
  readonly #channel: BroadcastChannel;
  readonly #receive: (message: FromWorker) => void;
  #failed = false;

  constructor(choice: BundleChoice, lab: string, hear: (message: FromWorker) => void) {
    this.#receive = hear;
    // A panic in a thread of the pool leaves the worker itself blocked, unable to post; every thread can
    // reach the page through a channel of this session alone.
    const channel = `learnery-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
    this.#channel = new BroadcastChannel(channel);
    this.#channel.onmessage = ({ data }: MessageEvent<Failed>) => this.#fail(data);
    this.#worker = new Worker(new URL("../worker.ts", import.meta.url), { type: "module", name: "session" });
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === "failed") this.#fail(data);
      else if (!this.#failed) hear(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail({ type: "failed", kind: "load", message: event.message || "The worker could not be loaded." });
    };
    const load: LoadRequest = { type: "load", bundle: choice.name, lab, threads: choice.threads, channel };
    this.#post(load);
  }

  /** Sends a request. The bytes of `resume` are moved to the worker, not copied. */
  send(request: Request): void {
    this.#post(request, request.type === "resume" ? [request.bytes.buffer] : []);
  }

  /** Ends the worker at once, whatever it is doing. */
  close(): void {
    this.#failed = true;
    this.#channel.close();
    this.#worker.terminate();
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** The first report is the cause; what follows from it is not passed on. */
  #fail(failed: Failed): void {
    if (this.#failed) return;
    this.close();
    this.#receive(failed);
  }
}
