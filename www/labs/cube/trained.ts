// Loads the trained network of a puzzle, and the button that does so.

import { el, listen, write } from "../../core/dom";
import type { Run } from "../../core/run";
import type { OpenFile } from "../../ui/lab-view";
import { type Expert, fetchExpert } from "./expert";

/**
 * Opens a trained network, and makes a unit if that evaluates it. `show` is called with what is said meanwhile, and
 * with whether it goes on. Returns whether the network was opened. The `signal` takes that back while the network is
 * fetched; nothing is said of it then.
 */
export async function openTrained(
  expert: Expert,
  run: Run,
  openFile: OpenFile,
  show: (text: string, busy: boolean) => void,
  signal: AbortSignal | null = null,
): Promise<boolean> {
  show("Loading the trained network …", true);
  try {
    const report = (text: string, wrong = false) => show(text, text !== "" && !wrong);
    const file = await fetchExpert(expert, signal);
    signal?.throwIfAborted();
    const opened = await openFile(file, report);
    if (opened && expert.isEvaluated) void run.finishUnit();
    return opened;
  } catch (error) {
    if (!signal?.aborted) show((error as Error).message, false);
    return false;
  }
}

export class TrainedButton {
  readonly element = el("span", { class: "load-trained" });
  #button = el("button", { type: "button", class: "link", text: "Load a trained network" });
  #message = el("span", { role: "status" });

  constructor(expert: Expert, run: Run, openFile: OpenFile) {
    const show = (text: string, busy: boolean) => {
      write(this.#message, text);
      this.#button.disabled = busy;
    };
    listen(this.#button, { click: () => void openTrained(expert, run, openFile, show) });
    this.element.append(this.#button, this.#message);
  }
}
