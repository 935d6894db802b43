// A copy of the sender's agent, made from what a link carries: a second run in a worker of its own, which begins with the
// settings and the seed of the link, gets the copied network, and is only looked at. It never trains and is never
// evaluated, and nothing of it is saved.

import { Incoming } from "./core/incoming";
import type { RunRequest } from "./core/link";
import { Run, type RunEvents } from "./core/run";
import type { Settings } from "./core/values";
import type { AgentCopy } from "./ui/lab-moment";
import { PastPicture, type PicturePlace } from "./ui/past-picture";
import "./style/timeline.css";

/** The purpose of this file's save request. */
const COPY_PURPOSE = "copy";

export class MomentCopy {
  readonly run: Run;
  #incoming: Incoming | null = null;
  #picture: PastPicture | null = null;
  #place: PicturePlace | null = null;
  #closed = false;

  constructor(
    present: Run,
    readonly request: RunRequest,
    readonly copy: AgentCopy,
    readonly agent: Uint8Array,
  ) {
    this.run = new Run({ ...present.cpuBundle, threads: 1 });
  }

  /** Makes the copy, and returns whether it could be made. */
  async make(): Promise<boolean> {
    const { run, request, agent, copy } = this;
    const { lab, seed, changes } = request;
    const settings = Object.assign({}, request.settings, ...changes.map((change) => change.settings)) as Settings;
    try {
      const incoming = (this.#incoming = new Incoming(run.cpuBundle, lab, settings, () => {}));
      await incoming.fetched;
      await incoming.start();
      if (this.#closed) return false;
      this.#incoming = null;
      run.adopt(incoming);
      await this.#ask("opened", () => run.start(lab, settings, seed));
      const data = changes.findLast((change) => change.data !== null)?.data ?? null;
      if (data !== null) await this.#ask("configured", () => run.command(data));
      const { bytes } = await this.#ask("saved", () => run.save(COPY_PURPOSE));
      const copied = copy.unpack(agent, bytes);
      if (!copied || this.#closed) return false;
      await this.#ask("opened", () => run.resume(copied, null));
      return !this.#closed;
    } catch {
      return false; // the recording stays
    }
  }

  /** Shows the copy. `shown` is called once its first picture is there. */
  show(place: PicturePlace, shown: () => void): void {
    this.#place = place;
    place.element.classList.add("shows-copy");
    const picture = (this.#picture = new PastPicture({ ...place, hidePresent: () => {} }, this.run));
    picture.label(this.copy.sign);
    const stop = this.run.on("view", (view) => {
      stop();
      if (this.copy.isShown?.(view, this.agent) === false) this.close();
      else shown();
    });
  }

  close(): void {
    this.#closed = true;
    this.#incoming?.close();
    this.#picture?.destroy();
    this.#picture = null;
    this.#place?.element.classList.remove("shows-copy");
    this.run.close();
  }

  /** Sends a request and waits for the event that answers it. */
  #ask<Event extends keyof RunEvents>(event: Event, send: () => void): Promise<RunEvents[Event]> {
    const { run } = this;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        for (const unsubscribe of subscriptions) unsubscribe();
        settle();
      };
      const fail = (message: string) => end(() => reject(new Error(message)));
      const subscriptions = [
        run.on(event, (payload) => end(() => resolve(payload))),
        run.on("refused", ({ message }) => fail(message)),
        run.on("failed", ({ message }) => fail(message)),
        run.on("closed", () => fail("it was closed")),
      ];
      if (this.#closed) return fail("it was closed");
      send();
    });
  }
}
