// One step of a lesson on the page: its texts, questions, runs, checks and comparisons.

import type { BundleChoice } from "../core/bundle";
import { el } from "../core/dom";
import type { AnyView } from "../core/run-events";
import type { JsonValue } from "../generated/protocol";
import type { ViewModule } from "../ui/lab-view";
import { Check } from "./check";
import { Compare } from "./compare";
import type { Part, Step, Training } from "./format";
import { Question } from "./question";
import { RunBlock } from "./run-block";
import { SeedsBlock } from "./seeds-block";
import type { LessonState } from "./state";
import { textElement } from "./texts";

/** What runs of a lesson need of the page. */
export interface LessonTools {
  bundle: BundleChoice;
  /** The module that draws the lab's picture. */
  view: ViewModule<AnyView> | null;
  /** The command that gives a run a text to learn; undefined where the lab's runs learn none. */
  dataOfText: ((text: string) => JsonValue) | undefined;
}

interface Shown {
  element: HTMLElement;
  destroy?: () => void;
}

export class StepView {
  readonly element: HTMLElement;
  #parts: Shown[];

  constructor(
    readonly step: Step,
    readonly state: LessonState,
    readonly tools: LessonTools,
  ) {
    const known = new Set<string>();
    this.#parts = step.parts.map((part) => this.#create(part, known));
    this.element = el("div", { class: "lesson-step" }, ...this.#parts.map(({ element }) => element));
  }

  destroy(): void {
    for (const part of this.#parts) part.destroy?.();
  }

  #create(part: Part, known: Set<string>): Shown {
    const { state, tools } = this;
    switch (part.kind) {
      case "text":
      case "list":
        return { element: textElement(part, state.lab.about.id, known) };
      case "choice":
      case "number":
      case "sentence":
        return new Question(part, state);
      case "run":
        return new RunBlock(part, state, tools.bundle, tools.view, this.#dataOf(part));
      case "seeds":
        return new SeedsBlock(part, state, tools.bundle, this.#dataOf(part));
      case "check":
        return new Check(part, state);
      case "compare":
        return new Compare(part, state);
    }
  }

  #dataOf({ learns }: Training): JsonValue | null {
    const text = learns === null ? undefined : this.state.lesson.texts.get(learns);
    return text === undefined ? null : (this.tools.dataOfText?.(text) ?? null);
  }
}
