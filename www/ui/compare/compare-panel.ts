// The tool "Compare": runs side by side, the same settings with many seeds, a duel of two agents, and the speedup from
// threads. It is loaded when its tab is first chosen.

import type { Contenders } from "../../core/contenders";
import { el } from "../../core/dom";
import type { Draft } from "../../core/draft";
import type { StopAtGoal } from "../../core/stop-at-goal";
import { Hold } from "./hold";
import type { LabDuel } from "../../core/duel/duel";
import type { RunRequest } from "../../core/link";
import { DuelPart } from "../duel/duel-part";
import type { SmallStage } from "./lane-picture";
import { Seeds } from "./seeds";
import { SideBySide } from "./side-by-side";
import { Speedup } from "./speedup";
import "../../style/compare.css";

export class ComparePanel {
  readonly element: HTMLElement;
  #parts: { element: HTMLElement; destroy: () => void }[];

  /** `small` is how the lab shows its runs in small; null if it cannot. `duel` is the link of a duel to prepare. */
  constructor(
    draft: Draft,
    contenders: Contenders,
    stopAtGoal: StopAtGoal,
    small: SmallStage | null,
    loadDuel: (() => Promise<LabDuel>) | null,
    duel: RunRequest | null,
  ) {
    const hold = new Hold(draft.run, stopAtGoal);
    const duels = loadDuel ? [new DuelPart(draft, hold, loadDuel, duel)] : [];
    const others = [new SideBySide(draft, contenders, hold, small), new Seeds(draft, hold)];
    // Whoever has opened the link of a duel sees it first.
    this.#parts = [...(duel ? [...duels, ...others] : [...others, ...duels]), new Speedup(draft.run, hold)];
    const gpu = draft.run.device === "gpu" && el("p", { class: "quiet", text: "Compared runs train on the CPU." });
    this.element = el("div", { class: "compare" }, hold.element, gpu, ...this.#parts.map(({ element }) => element));
  }

  destroy(): void {
    for (const part of this.#parts) part.destroy();
  }
}
