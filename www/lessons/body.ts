// A lesson as a pupil does it: the row of its steps, the step that is open, and the way to the next one.

import { button, el, write } from "../core/dom";
import { formatCount } from "../core/format";
import { quoted } from "../core/values";
import { icon } from "../ui/icons";
import { LessonEnd } from "./end";
import type { Begun, LessonState } from "./state";
import { Summary } from "./summary";
import { StepView, type LessonTools } from "./step-view";

export class LessonBody {
  readonly element: HTMLElement;
  #steps: HTMLButtonElement[];
  #signs: HTMLElement[] = [];
  #title = el("h2", { tabindex: "-1" });
  #minutes = el("p", { class: "quiet small" });
  /** Runs that train in another step. */
  #training = el("p", { class: "lesson-status row lesson-run-row", hidden: true });
  #trainingWords = el("span", {});
  #place = el("div", {});
  #view: StepView | null = null;
  #summary: Summary;
  /** Null in a preview, which keeps no answers. */
  #end: LessonEnd | null;
  #back = button("Back", () => this.#show(this.state.kept.step - 1));
  #next = button("Next step", () => this.#show(this.state.kept.step + 1), { class: "primary" });
  #unsubscribe: (() => void)[];

  constructor(
    readonly state: LessonState,
    readonly tools: LessonTools,
  ) {
    this.#steps = state.lesson.steps.map(({ title }, i) => {
      const sign = el("span", { class: "lesson-sign" });
      sign.append(icon("check"));
      this.#signs.push(sign);
      const step = el("button", { type: "button", class: "lesson-tab", on: { click: () => this.#show(i) } });
      step.append(sign, el("span", { text: title }));
      return step;
    });
    this.#summary = new Summary(state);
    this.#end = state.id === null ? null : new LessonEnd(state);
    this.element = el(
      "div",
      { class: "lesson-body" },
      el(
        "nav",
        { "aria-label": "Steps" },
        el("ol", { class: "lesson-tabs" }, ...this.#steps.map((each) => el("li", {}, each))),
      ),
      el(
        "section",
        { class: "lesson-main" },
        el("header", {}, this.#title, this.#minutes, this.#training),
        this.#place,
        this.#summary.element,
        this.#end?.element,
        el("p", { class: "row lesson-way" }, this.#back, this.#next),
      ),
    );
    this.#training.append(
      this.#trainingWords,
      button("Stop", () => this.#elsewhere()?.stop(), { class: "small" }),
    );
    // Also when a phone is turned.
    const row = new ResizeObserver(() => this.#reveal());
    row.observe(this.element);
    this.#unsubscribe = [
      () => row.disconnect(),
      state.on("changed", () => this.#draw()),
      state.on("trained", () => this.#drawTraining()),
    ];
    this.#open();
  }

  destroy(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#view?.destroy();
    this.#end?.destroy();
    this.#summary.destroy();
  }

  /** Shows another step, and moves the focus to its title. */
  #show(step: number): void {
    this.#view?.destroy();
    this.#view = null;
    this.state.setStep(step);
    this.#open();
    this.#title.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "start" });
  }

  #open(): void {
    const { state, tools } = this;
    const step = state.lesson.steps[state.kept.step];
    if (!step) return;
    this.#view?.destroy();
    this.#view = new StepView(step, state, tools);
    this.#place.replaceChildren(this.#view.element);
    write(this.#title, step.title);
    this.#draw();
    this.#reveal();
  }

  /** In a narrow window the row of steps scrolls; the open one is brought into sight there. */
  #reveal(): void {
    const tab = this.#steps[this.state.kept.step];
    const row = tab?.closest("ol");
    if (tab && row) row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }

  #draw(): void {
    const { state } = this;
    const { steps } = state.lesson;
    const { step: at } = state.kept;
    for (const [i, step] of steps.entries()) {
      const tab = this.#steps[i];
      if (i === at) tab?.setAttribute("aria-current", "step");
      else tab?.removeAttribute("aria-current");
      const isDone = state.isDone(step);
      tab?.classList.toggle("done", isDone);
      this.#signs[i]?.setAttribute("title", isDone ? "Done" : "");
    }
    const minutes = steps[at]?.minutes ?? 0;
    write(this.#minutes, `Step ${at + 1} of ${steps.length}, about ${formatCount(minutes, "minute")}`);
    this.#back.disabled = at === 0;
    const isLast = at === steps.length - 1;
    this.#next.hidden = isLast;
    this.#end?.at(isLast);
    this.#summary.at(isLast);
    this.#drawTraining();
  }

  /** The runs that train in another step; undefined for none. */
  #elsewhere(): Begun | undefined {
    const here = this.state.lesson.steps[this.state.kept.step];
    return [...this.state.sweeps.values()].find(({ training, part }) => training && !here?.parts.includes(part));
  }

  #drawTraining(): void {
    const sweep = this.#elsewhere();
    this.#training.hidden = !sweep;
    if (sweep)
      write(
        this.#trainingWords,
        `${quoted(sweep.part.title)}: ${[sweep.progress, sweep.detail].filter(Boolean).join(" ")}`,
      );
  }
}
