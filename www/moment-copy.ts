// A copy of the sender's agent, made from what a link carries: a second run in a worker of its own, which begins with
// the settings and the seed of the link, gets the copied network, and is only looked at: the network never trains and is
// never evaluated, and nothing of it is saved.

import { Incoming } from "./core/incoming";
import type { RunRequest } from "./core/link";
import { Run } from "./core/run";
import type { Settings } from "./core/values";
import type { AgentCopy } from "./ui/lab-moment";
import { PastPicture, type PicturePlace } from "./ui/past-picture";
import "./style/timeline.css";

export class MomentCopy {
  readonly run: Run;
  #incoming: Incoming | null = null;
  #picture: PastPicture | null = null;
  #place: PicturePlace | null = null;
  #closed = false;

  /** `present` is the open run, whose bundle the copy uses. `agent` are the bytes of the network in the link. */
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
    // The agent of the link is that after all changes, so the copy begins with the last settings.
    const settings = Object.assign({}, request.settings, ...changes.map((change) => change.settings)) as Settings;
    try {
      const incoming = (this.#incoming = new Incoming(run.cpuBundle, lab, settings, () => {}));
      await incoming.fetched;
      await incoming.start();
      if (this.#closed) return false;
      this.#incoming = null;
      run.adopt(incoming);
      const begins = copy.begins?.(agent);
      await run.start(lab, { ...settings, ...begins?.settings }, seed);
      const data = changes.findLast((change) => change.data !== null)?.data ?? null;
      if (data !== null) await run.setData(data);
      for (let unit = 0; unit < (begins?.units ?? 0) && !this.#closed; unit++) await run.finishUnit();
      const { bytes } = await run.save();
      const copied = copy.unpack(agent, bytes);
      if (!copied || this.#closed) return false;
      await run.resume(copied, null);
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
}
