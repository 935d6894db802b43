// Cards in place of the picture: the progress of loading, or what went wrong and what to do.

import { button, el, write } from "../core/dom";
import type { WorkerFailure } from "../core/run";
import type { NoticeAction } from "./notices";

const TITLES: Record<WorkerFailure["kind"], string> = {
  panic: "The learner crashed",
  memory: "The learner ran out of memory",
  load: "The learner could not be loaded",
  silent: "The learner stopped answering",
};

const EXPLANATIONS: Record<WorkerFailure["kind"], string> = {
  panic: "An error in its code stopped it. The page and your last save are fine.",
  memory: "These settings need more memory than a tab may have. Fewer worlds or a smaller network need less.",
  load: "Its file did not arrive, or this browser cannot run it. Perhaps the connection was lost.",
  silent: "It was busy with one step for far too long, so it was stopped.",
};

export function failureCard(failure: WorkerFailure, actions: NoticeAction[]): HTMLElement {
  const card = el(
    "div",
    { class: "card failure", role: "alert" },
    el("h2", { text: TITLES[failure.kind] }),
    el("p", { text: EXPLANATIONS[failure.kind] }),
    el("p", { class: "row" }, ...actions.map(({ label, run: act }) => button(label, act))),
    el("details", {}, el("summary", { text: "Error message" }), el("pre", { text: failure.message })),
  );
  return card;
}

export class LoadingCard {
  readonly element: HTMLElement;
  #bar = el("span", { class: "loading-bar" });
  #text = el("p", { class: "quiet", text: "Loading the learner" });

  constructor() {
    this.element = el("div", { class: "card loading" }, this.#text, el("span", { class: "loading-track" }, this.#bar));
  }

  destroy(): void {
    this.show(0);
  }

  show(share: number): void {
    this.#bar.style.transform = `scaleX(${share})`;
    write(this.#text, share >= 1 ? "Starting the learner" : "Loading the learner");
  }
}
