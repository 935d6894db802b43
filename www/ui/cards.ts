// Cards in place of the picture: the progress of loading, or what went wrong and what to do.

import { button, el, write } from "../core/dom";
import type { WorkerFailure } from "../core/run";
import type { NoticeAction } from "./notices";

const TITLES: Record<WorkerFailure["kind"], string> = {
  panic: "The learner broke",
  memory: "The learner ran out of memory",
  load: "The learner could not be loaded",
  silent: "The learner stopped answering",
};

const EXPLANATIONS: Record<WorkerFailure["kind"], string> = {
  panic: "A mistake in its code ended it. The page itself is fine, and so is your last save.",
  memory: "These settings want more memory than a tab may have. Fewer worlds or smaller parts need less.",
  load: "The file did not arrive or this browser cannot run it. The connection may have dropped.",
  silent: "It has been busy for longer than it should with one piece of work, so it was ended.",
};

export function failureCard(trouble: WorkerFailure, acts: NoticeAction[]): HTMLElement {
  const card = el(
    "div",
    { class: "card failure", role: "alert" },
    el("h2", { text: TITLES[trouble.kind] }),
    el("p", { text: EXPLANATIONS[trouble.kind] }),
    el("p", { class: "row" }, ...acts.map(({ label, run: act }) => button(label, act))),
    el("details", {}, el("summary", { text: "What it said" }), el("pre", { text: trouble.message })),
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
