// The button that loads the trained network of a puzzle.

import { el, write } from "../../core/dom";
import type { Run } from "../../core/run";
import type { OpenFile } from "../../ui/lab-view";
import { type Expert, fetchExpert } from "./expert";

export class TrainedButton {
  readonly element = el("span", { class: "load-trained" });
  #button = el("button", { type: "button", class: "link", text: "Load a trained network" });
  #message = el("span", { role: "status" });

  constructor(expert: Expert, run: Run, openFile: OpenFile) {
    this.#button.addEventListener("click", () => void this.#load(expert, run, openFile));
    this.element.append(this.#button, this.#message);
  }

  #show(text: string, busy: boolean): void {
    write(this.#message, text);
    this.#button.disabled = busy;
  }

  /** Opens the network, and makes a unit if that evaluates it. */
  async #load(expert: Expert, run: Run, openFile: OpenFile): Promise<void> {
    this.#show("Loading …", true);
    try {
      const report = (text: string, wrong = false) => this.#show(text, text !== "" && !wrong);
      const opened = await openFile(await fetchExpert(expert), report);
      if (opened && expert.isEvaluated) run.finishUnit();
    } catch (error) {
      this.#show((error as Error).message, false);
    }
  }
}
