// One step of a lesson on the page: its texts, questions, runs (one, or several seeds), checks and comparisons.

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

/** What the page provides for the runs of a lesson. These are not the tools of a lab (core/ask.ts). */
export interface LessonTools {
  bundle: BundleChoice;
  /** The module that draws the lab's picture. */
  view: ViewModule<AnyView> | null;
  /** Makes the command that gives a run a text to learn; undefined where the lab's runs learn no text. */
  commandForText: ((text: string) => JsonValue) | undefined;
}

/** A part of the step on the page. */
interface PartView {
  element: HTMLElement;
  destroy?: () => void;
}

export class StepView {
  readonly element: HTMLElement;
  #parts: PartView[];

  constructor(
    readonly step: Step,
    readonly state: LessonState,
    readonly tools: LessonTools,
  ) {
    // The words of the glossary that this step has explained: each is explained once.
    const explained = new Set<string>();
    this.#parts = step.parts.map((part) => this.#create(part, explained));
    this.element = el("div", { class: "lesson-step" }, ...this.#parts.map(({ element }) => element));
  }

  destroy(): void {
    for (const part of this.#parts) part.destroy?.();
  }

  #create(part: Part, explained: Set<string>): PartView {
    const { state, tools } = this;
    switch (part.kind) {
      case "text":
      case "list":
        return { element: textElement(part, state.lab.about.id, explained, state.hasOpenPredictions) };
      case "choice":
      case "number":
      case "sentence":
        return new Question(part, state);
      case "run":
        return new RunBlock(part, state, tools.bundle, tools.view, this.#commandFor(part));
      case "seeds":
        return new SeedsBlock(part, state, tools.bundle, this.#commandFor(part));
      case "check":
        return new Check(part, state);
      case "compare":
        return new Compare(part, state);
    }
  }

  #commandFor({ learns }: Training): JsonValue | null {
    const text = learns === null ? undefined : this.state.lesson.texts.get(learns);
    return text === undefined ? null : (this.tools.commandForText?.(text) ?? null);
  }
}
