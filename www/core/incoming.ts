// A worker that is prepared in the background while the open run continues: it fetches a lab's bundle, and may start it
// and open a file. The open run is replaced only when the new worker has reached that state. If it fails before,
// nothing has changed.

import type { LabInfo, Reply, Request } from "../generated/protocol";
import type { BundleChoice } from "./bundle";
import { awaitBundle } from "./dev-bundle";
import { programOf } from "./program";
import { Superseded, type ReplyOf } from "./requests";
import type { Settings } from "./values";
import { Watchdog } from "./watchdog";
import { WorkerLink } from "./worker-link";
import type { FromWorker, Ready, WorkerFailure } from "./worker-messages";

/** If no message that is due arrives for this long, the worker counts as failed. */
const MAX_SILENCE_MS = 60_000;

/** The worker has failed. */
export class IncomingFailure extends Error {
  constructor(readonly failure: WorkerFailure) {
    super(failure.message);
  }
}

/**
 * A worker that is about to replace the present one. Await `fetched`, then ask for what is needed, then hand it over or
 * close it.
 */
export class Incoming {
  /** The message with which the bundle has started; null before. */
  ready: Ready | null = null;
  /** The run that was opened; null before. */
  opened: ReplyOf<"opened"> | null = null;
  /** The lab's program in the bundle that it loads. */
  readonly program: string;
  /** Resolves when every file of the bundle has arrived. */
  readonly fetched: Promise<void>;
  /** The worker; null while the development server is still building the bundle, and once it has been handed over. */
  #link: WorkerLink | null = null;
  /** Stops listening to the development server, which is still building the bundle. */
  #endWait: (() => void) | null = null;
  /** The message that is expected next, with the promise that waits for it; null if none is. */
  #waiting: { type: string; resolve: (message: FromWorker) => void; reject: (error: Error) => void } | null = null;
  #watchdog = new Watchdog(() => {
    const failure: WorkerFailure = this.ready
      ? { kind: "silent", message: "The worker has not answered for a while." }
      : { kind: "load", message: "The worker was not ready in time." };
    this.close(new IncomingFailure(failure));
  });
  /** Why the worker was closed. */
  #closedBy: Error | null = null;

  /**
   * `settings` are those of the run that it is to open. `showLoading` is told the fraction of the bundle that has
   * arrived or been built, in the latter case with a text.
   */
  constructor(
    readonly bundle: BundleChoice,
    readonly lab: LabInfo,
    settings: Settings,
    readonly showLoading: (fraction: number, text?: string) => void,
  ) {
    this.program = programOf(lab.about.id, settings);
    this.fetched = this.#waitFor("fetched").then(() => {});
    this.fetched.catch(() => {}); // whoever waits for it gets the error too
    if (import.meta.env.DEV) {
      // Only a development server may still be building the bundle, for as long as that takes.
      this.#watchdog.stop();
      const report = ({ fraction, text }: { fraction: number; text: string }) => showLoading(fraction, text);
      this.#endWait = awaitBundle(bundle.name, this.program, report, () => this.#createWorker());
    } else this.#createWorker();
  }

  #createWorker(): void {
    this.#watchdog.expect(MAX_SILENCE_MS);
    this.#link = new WorkerLink(this.bundle, this.program, (message) => this.#receive(message), { hold: true });
  }

  /** Starts the bundle beside the open run. */
  async start(): Promise<void> {
    const ready = this.#waitFor("ready");
    this.#link?.begin();
    this.ready = (await ready) as Ready;
  }

  /** Opens a checkpoint, or throws a `Refusal`. */
  async resume(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.opened = (await this.#ask({ type: "resume", bytes })) as ReplyOf<"opened">;
  }

  /** Computes the fingerprint of the opened run. */
  async fingerprint(): Promise<ReplyOf<"saved">> {
    const saved = await this.#ask({ type: "save", networkOnly: false, wait: false, fingerprint: true });
    return saved as ReplyOf<"saved">;
  }

  /** Sends a request and resolves to its reply. */
  #ask(request: Request): Promise<Reply> {
    if (this.#closedBy || !this.#link) return Promise.reject(this.#closedBy ?? new Superseded());
    this.#watchdog.expect(MAX_SILENCE_MS);
    return this.#link.ask(request);
  }

  /** Throws the reason if the worker has been closed or has failed, also while nobody waited for it. */
  throwIfClosed(): void {
    if (this.#closedBy) throw this.#closedBy;
  }

  /** Transfers the worker: from now on `receive` gets its messages. Call it after `fetched` has resolved. */
  handOver(receive: (message: FromWorker) => void): WorkerLink {
    this.#watchdog.stop();
    const link = this.#link;
    if (!link) throw new Error("there is no worker to hand over");
    this.#link = null;
    link.onMessage = receive;
    return link;
  }

  close(reason: Error = new Superseded()): void {
    this.#watchdog.stop();
    this.#endWait?.();
    this.#closedBy ??= reason;
    this.#link?.close(this.#closedBy);
    this.#waiting?.reject(reason);
  }

  /** Resolves to the next message of a type. Only one message is waited for at a time. */
  #waitFor(type: string): Promise<FromWorker> {
    if (this.#closedBy) return Promise.reject(this.#closedBy);
    this.#watchdog.expect(MAX_SILENCE_MS);
    return new Promise((resolve, reject) => (this.#waiting = { type, resolve, reject }));
  }

  #receive(message: FromWorker): void {
    this.#watchdog.answered();
    if (message.type === "failed") {
      this.close(new IncomingFailure({ kind: message.kind, message: message.message }));
      return;
    }
    const waiting = this.#waiting;
    if (waiting && message.type === waiting.type) {
      this.#waiting = null;
      waiting.resolve(message);
    } else {
      if (waiting) this.#watchdog.expect(MAX_SILENCE_MS);
      if (message.type === "loading")
        this.showLoading(message.total > 0 ? Math.min(1, message.loaded / message.total) : 0);
    }
  }
}
