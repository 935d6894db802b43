// The offer at the foot of the front to keep all labs on this device. A lab that was opened is kept without it.

import { button, el, write } from "../core/dom";
import { megabytes } from "../core/library-budget";
import type { Counts, KeepFailure, Offline } from "../core/offline";

const FAILURES: Record<KeepFailure, string> = {
  full: "The browser's storage is full, so not every lab is kept.",
  storage: "The browser does not let this page store files, so not every lab is kept.",
  network: "Not every file has arrived, so not every lab is kept yet: check the connection and press again.",
  version: "There is a new version of Learnery: reload the page, and press again.",
  forbidden: "The browser does not let this page work without a network, so no lab is kept.",
};

const DONE = "All labs are stored on this device and work without a network.";

export class KeepAll {
  readonly element: HTMLElement;
  #button = button("", () => void this.#keep(), { class: "small" });
  #state = el("span", { class: "num", role: "status", tabindex: -1 });
  #busy = false;

  constructor(readonly loadOffline: () => Promise<Offline>) {
    // Hidden until the size is known, and where nothing can be kept.
    this.element = el("span", { class: "front-keep", hidden: true }, this.#button, this.#state);
    void this.#offer().catch(() => {}); // without a network there is nothing to offer
  }

  async #offer(): Promise<void> {
    const offline = await this.loadOffline();
    if (!offline.isPossible) return;
    const counts = await offline.countAll();
    this.#showSize(counts);
    this.element.hidden = false;
    // It was asked for before the visitor left the front and came back.
    if (offline.isKeepingAll) await this.#keep();
    else if (counts.missing === 0) this.#finish();
  }

  #showSize({ total }: Counts): void {
    write(this.#button, `Store all labs for use without a network (${megabytes(total)})`);
  }

  /** Keeps what is missing, and shows how much is there. A press meanwhile does nothing. */
  async #keep(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    write(this.#state, "Storing the labs");
    const failure = await this.loadOffline().then(
      (offline) =>
        offline.keepAll((counts) => {
          this.#showSize(counts);
          write(this.#state, `${megabytes(counts.kept)} of ${megabytes(counts.total)} are on this device`);
        }),
      (): KeepFailure => "network",
    );
    this.#busy = false;
    if (failure) write(this.#state, FAILURES[failure]);
    else this.#finish();
  }

  /** Says that every lab is there. Nothing is left to ask for. */
  #finish(): void {
    write(this.#state, DONE);
    // A button that is hidden would lose the focus to the start of the page.
    if (document.activeElement === this.#button) this.#state.focus();
    this.#button.hidden = true;
  }
}
