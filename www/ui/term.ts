// A word that the page explains where it stands: it has a dotted line below. Pointing at it, focusing it by keyboard,
// or pressing it opens the explanation (ui/explanation.ts), which is loaded then. It has the role of a
// button, but is a `span`: after a `button` the line may break, so that a full stop would begin the next line.

import WORDS from "../../docs/glossary.md?words";
import { el, listen } from "../core/dom";
import { TermFinder } from "../core/terms";
import type { Field, MetricSpec } from "../generated/protocol";
import type { About } from "./explanation";

/** Pointing at a word for this long opens its explanation. */
const HOVER_MS = 350;

/** Whether explanations say only what a word means, and not what turning a setting up or down does. */
export type IsBrief = () => boolean;

const inFull: IsBrief = () => false;

/** The text as a word that explains itself. `isBrief` is asked each time that the explanation opens. */
export function explained(text: string, about: About, isBrief = inFull): HTMLElement {
  const button = el("span", { class: "term", role: "button", tabindex: 0, text, "aria-expanded": "false" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = () => import("./explanation").catch(() => null);
  const show = () =>
    void load().then((module) => button.isConnected && module?.openExplanation(button, about, isBrief()));
  const toggle = () =>
    void load().then((module) => button.isConnected && module?.toggleExplanation(button, about, isBrief()));
  listen(button, {
    pointerenter: ({ pointerType }) => {
      if (pointerType === "mouse") timer = setTimeout(show, HOVER_MS);
    },
    pointerleave: () => clearTimeout(timer),
    focus: () => button.matches(":focus-visible") && show(),
    click: (event) => {
      clearTimeout(timer);
      // The word may lie inside a label, whose control must not be pressed.
      event.preventDefault();
      toggle();
    },
    keydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation(); // Elsewhere on the page, Space runs and pauses the training.
      if (!event.repeat) toggle();
    },
  });
  return button;
}

/** The name of a setting, which explains what it is and what turning it up or down does. */
export function explainedSetting({ name, title, help }: Field, lab: string, isBrief?: IsBrief): HTMLElement {
  return explained(title, { title, help, lab, setting: name }, isBrief);
}

/** The name of a metric, which explains it. */
export function explainedMetric({ name, label, help }: MetricSpec, lab: string, text = label): HTMLElement {
  return explained(text, { title: label, help, lab, metric: name });
}

/** A word that docs/glossary.md explains under `name`. */
export function term(text: string, name: string, isBrief?: IsBrief): HTMLElement {
  return explained(text, { term: name }, isBrief);
}

const finders = new Map<string, TermFinder>();

/**
 * A text of a lab, in which the words of the glossary explain themselves: those of this lab and those of all labs.
 * Words in `known` stay plain text. The words that are found are added to it.
 */
export function withTerms(text: string, lab: string, known?: Set<string>, isBrief?: IsBrief): (string | HTMLElement)[] {
  const finder = finders.get(lab) ?? new TermFinder(WORDS, lab);
  finders.set(lab, finder);
  return finder.split(text, known).map((piece) => (piece.term ? term(piece.text, piece.term, isBrief) : piece.text));
}
