// The end of a lesson: all predictions beside what happened, and what all runs with several seeds have measured.

import { el } from "../core/dom";
import { dotsPicture } from "./dots";
import { isQuestion, partsOf, predicts, type SeedsPart } from "./format";
import type { SeedsResult } from "./measures";
import { factsOf } from "./seeds-block";
import type { LessonState } from "./state";
import { comparisonWords } from "./values";

export class Summary {
  readonly element = el("section", { class: "lesson-compare lesson-summary", hidden: true });
  #isLast = false;
  /** The texts that are shown, by which a change is found. */
  #shown = "";
  #unsubscribe: () => void;

  constructor(readonly state: LessonState) {
    this.#unsubscribe = state.on("changed", () => this.#draw());
  }

  destroy(): void {
    this.#unsubscribe();
  }

  /** Shows itself in the last step only. */
  at(isLast: boolean): void {
    this.#isLast = isLast;
    this.#draw();
  }

  #draw(): void {
    const { state } = this;
    const parts = partsOf(state.lesson);
    const predictions = parts.filter(isQuestion).filter((part) => predicts(part).length > 0);
    this.element.hidden = !this.#isLast || predictions.length === 0;
    if (this.element.hidden) return;
    const compared = predictions.map((part) => [part.ask, comparisonWords(state, part)] as const);
    const measured = measuredSeeds(state);
    const facts = measured.map(({ part, result }) => [part.title, factsOf(state, part, result)] as const);
    const text = JSON.stringify([compared, facts]);
    if (text === this.#shown) return;
    this.#shown = text;
    const list = (items: readonly (readonly [string, string])[]) =>
      el("dl", {}, ...items.flatMap(([name, words]) => [el("dt", { text: name }), el("dd", { text: words })]));
    const dots = picture(state, measured);
    this.element.replaceChildren(
      el("h3", { text: "What you predicted, and what happened" }),
      list(compared),
      ...(facts.length > 0 ? [el("h3", { text: "What the series of runs measured" }), list(facts)] : []),
      ...(dots ? [dots] : []),
    );
  }
}

/** The blocks whose runs have all ended, with what they have measured. */
function measuredSeeds(state: LessonState): { part: SeedsPart; result: SeedsResult }[] {
  return partsOf(state.lesson).flatMap((part) => {
    if (part.kind !== "seeds") return [];
    const result = state.completeSeeds(part);
    return result ? [{ part, result }] : [];
  });
}

/** The runs of several blocks over one axis; null where that would compare different things. */
function picture(state: LessonState, rows: { part: SeedsPart; result: SeedsResult }[]): Element | null {
  const [first] = rows;
  if (!first || rows.length < 2 || rows.some(({ result }) => result.metric !== first.result.metric)) return null;
  const haveGoal = rows.every(({ result }) => result.target !== null);
  return dotsPicture(state.lab, rows, haveGoal ? "units" : "last");
}
