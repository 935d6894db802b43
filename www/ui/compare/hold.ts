// Pauses the open run while other runs train or play in this tool, because they share the processor's cores, and lets
// it go on afterwards. Only one part of the tool trains at a time: the parts disable their buttons while another does.

import { el } from "../../core/dom";
import { Emitter } from "../../core/events";
import type { Run } from "../../core/run";
import type { StopAtGoal } from "../../core/stop-at-goal";

export class Hold extends Emitter<{ changed: null }> {
  readonly element = el("p", {
    class: "compare-hold",
    role: "status",
    hidden: true,
    text: "Your own run is paused while this tool computes, and goes on afterwards.",
  });
  /** The part of the tool that trains; null if none does. */
  holder: object | null = null;
  /** The id of the open run, if it has to go on afterwards. */
  #paused: string | null = null;

  constructor(
    readonly run: Run,
    readonly stopAtGoal: Pick<StopAtGoal, "resume">,
  ) {
    super();
  }

  /** A part of the tool begins or ends to train. Its end is ignored if another part has begun meanwhile. */
  set(holder: object, training: boolean): void {
    if (training === (this.holder === holder)) return;
    if (training) {
      this.holder = holder;
      if (this.run.progress.running) {
        this.#paused = this.run.note.id;
        this.run.pause();
      }
    } else {
      this.holder = null;
      // If another run was opened meanwhile, that is left as it is. A run that reached its goal while it was being
      // paused stays paused, which `stopAtGoal` knows.
      if (this.run.open && this.#paused === this.run.note.id) this.stopAtGoal.resume();
      this.#paused = null;
    }
    this.element.hidden = this.#paused === null;
    this.emit("changed", null);
  }
}
