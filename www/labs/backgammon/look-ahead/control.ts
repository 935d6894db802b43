// The button that opens the panel for lookahead and rollouts (panel.ts) below the candidate plays. The panel is loaded
// then.

import { button, el } from "../../../core/dom";
import type { Run } from "../../../core/run";
import type { BackgammonStage } from "../../../generated/protocol";
import type { LookAheadPanel } from "./panel";

export class LookAhead {
  /** The place of the panel. */
  readonly element = el("div", { class: "look-ahead" });
  readonly button = button("Look ahead", () => void this.#open(), {
    title: "Judge this position with lookahead, or by a rollout: many games from here",
  });
  #panel: LookAheadPanel | null = null;
  #stage: BackgammonStage | null = null;

  /** `hold` is the panel's, and `showProblem` says what is wrong. */
  constructor(
    readonly run: Pick<Run, "ask">,
    readonly hold: () => Promise<void>,
    readonly showProblem: (problem: string) => void,
  ) {}

  /** `isHidden` is true while a visitor has to find a play without help. */
  draw(stage: BackgammonStage, isHidden: boolean): void {
    this.#stage = stage;
    this.element.hidden = this.button.hidden = isHidden || stage.result !== 0;
    this.#panel?.draw(stage);
  }

  destroy(): void {
    this.#panel?.destroy();
  }

  async #open(): Promise<void> {
    const module = await import("./panel").catch(() => null);
    if (this.#panel) return; // pressed twice
    if (!module) return this.showProblem("The lookahead could not be loaded. Check the network connection.");
    this.#panel = new module.LookAheadPanel(this.run, this.hold);
    this.button.remove();
    this.element.append(this.#panel.element);
    if (this.#stage) this.#panel.draw(this.#stage);
    this.#panel.focus();
  }
}
