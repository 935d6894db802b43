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

  /** `stop` stops a game that goes on by itself, and returns false in one that does not. `showProblem` says what is wrong. */
  constructor(
    readonly run: Pick<Run, "ask" | "read">,
    readonly stop: () => boolean,
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

  /** Stops a game that goes on by itself, and resolves when its last turn has been drawn. */
  async #hold(): Promise<void> {
    if (!this.stop()) return;
    // The same command once more, for its answer: the turns before it have come in earlier views, which are drawn with
    // the next frame.
    await this.run.read({ type: "tempo", seconds: 0 });
    await new Promise(requestAnimationFrame);
  }

  async #open(): Promise<void> {
    const module = await import("./panel").catch(() => null);
    if (this.#panel) return; // pressed twice
    if (!module) return this.showProblem("The lookahead could not be loaded. Check the network connection.");
    this.#panel = new module.LookAheadPanel(this.run, () => this.#hold());
    this.button.remove();
    this.element.append(this.#panel.element);
    if (this.#stage) this.#panel.draw(this.#stage);
    this.#panel.focus();
  }
}
