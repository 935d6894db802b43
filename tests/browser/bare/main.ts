// A page with nothing but a session worker, for tests of the worker and its protocol (protocol.test.mjs) and of
// the bits it computes (bits.test.mjs). They use it as `globalThis.bare`.

import { chooseBundle } from "../../../www/core/bundle";
import type { BundleName, FromWorker } from "../../../www/core/worker-messages";
import { reloadForIsolation } from "../../../www/core/isolation";
import { WorkerLink } from "../../../www/core/worker-link";
import type { Request } from "../../../www/generated/protocol";

class Bare {
  choice = chooseBundle();
  #lab = "control";
  readonly received: FromWorker[] = [];
  #link = this.#open();
  /** Functions to be called when the next message arrives. */
  #waiting: (() => void)[] = [];

  #open(): WorkerLink {
    return new WorkerLink(this.choice, this.#lab, (message) => {
      this.received.push(message);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /**
   * Replaces the worker, as the page does after a failure; if asked, by one for another lab, bundle or thread count.
   */
  replace(lab = this.#lab, bundle?: BundleName, threads?: number): void {
    this.#lab = lab;
    if (bundle) this.choice = chooseBundle(bundle);
    if (threads) this.choice.threads = threads;
    this.#link.close();
    this.received.length = 0;
    this.#link = this.#open();
  }

  /** Sends a request and waits for a later message of one of these types. */
  async ask(request: Request, ...types: FromWorker["type"][]): Promise<FromWorker> {
    const from = this.received.length;
    this.#link.send(request);
    return this.waitFor((message) => types.includes(message.type), from);
  }

  /** Waits for a message that `fits`, from index `from` of those received. */
  async waitFor(fits: (message: FromWorker) => boolean, from = 0): Promise<FromWorker> {
    for (;;) {
      const found = this.received.slice(from).find(fits);
      if (found) return found;
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  /**
   * Waits until the running run has reached its goal. Meanwhile it requests views (data for a picture) as the real page
   * does: the next one a frame after the last has arrived.
   */
  async solve(): Promise<{ units: number; views: number; seconds: number }> {
    const begin = performance.now();
    let views = 0;
    for (;;) {
      await this.ask({ type: "view", seconds: 1 / 60 }, "view");
      views += 1;
      await new Promise(requestAnimationFrame);
      const solved = this.received.find((message) => message.type === "progress" && message.progress.solvedAt !== null);
      if (solved?.type !== "progress") continue;
      return { units: solved.progress.units, views, seconds: (performance.now() - begin) / 1000 };
    }
  }
}

if (!(await reloadForIsolation())) Object.assign(globalThis, { bare: new Bare() });
