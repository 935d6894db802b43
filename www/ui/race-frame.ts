// The dialog of a race against the agent: the rule, two lanes side by side, what happens in words, and the buttons.

import { button, el, write } from "../core/dom";
import { createDialog } from "./dialog";
import "./race.css";

/** One side of the race: its picture, and its score so far. */
export class RaceLane {
  readonly element: HTMLElement;
  #score = el("b", { class: "num" });

  constructor(title: string, picture: Element, { class: more }: { class: string }) {
    const head = el("p", { class: "race-title" }, el("span", { text: title }), this.#score);
    this.element = el("section", { class: `race-lane ${more}`, "aria-label": title }, head, picture);
  }

  showScore(score: string): void {
    write(this.#score, score);
  }
}

/** Says which agent the visitor races: that of the open run after so many units (training iterations). */
export const whichAgent = (unit: string, units: number | null): string =>
  units ? `You race the agent as it was at ${unit} ${units}.` : "You race the agent before any training.";

const titleOf = (name: string): string => `Race the agent: ${name}`;

interface RaceOptions {
  /** What is raced in, such as "CartPole". */
  name: string;
  /** What decides, in a sentence or two. */
  rule: string;
  lanes: RaceLane[];
  /** What can be chosen before a race; left out for nothing. */
  choice?: Element;
  /** What stands left and right of the words. */
  beside: [left: Element[], right: Element[]];
  /** Where these have lines of their own: everywhere, or in a narrow window. */
  wraps?: "everywhere" | "narrow";
  begin: () => void;
  /** Called when the dialog has been closed in any way. */
  ended: () => void;
  /** Ends the race. */
  signal: AbortSignal;
}

export class RaceFrame {
  /** Resolves when the dialog is closed. */
  readonly closed: Promise<void>;
  readonly dialog: HTMLDialogElement;
  readonly start: HTMLButtonElement;
  /** How the visitor plays, and which agent. */
  #who = el("p", { class: "quiet small" });
  #words = el("p", { class: "race-words", role: "status" });
  #resolve: () => void = () => {}; // replaced in the constructor

  constructor({ name, rule, lanes, choice, beside: [left, right], wraps, begin, ended, signal }: RaceOptions) {
    this.closed = new Promise((resolve) => (this.#resolve = resolve));
    this.start = button("Start", begin, { class: "primary" });
    const close = () => {
      this.dialog.remove();
      ended();
      this.#resolve();
    };
    this.dialog = createDialog(
      { class: "race", titleId: "race-title", title: titleOf(name), closed: close },
      el("p", { text: rule }),
      this.#who,
      ...(choice ? [choice] : []),
      el("div", { class: "race-lanes" }, ...lanes.map(({ element }) => element)),
      el("div", { class: `race-controls ${wraps ?? ""}` }, ...left, this.#words, ...right),
      el(
        "div",
        { class: "dialog-actions row" },
        this.start,
        button("Close", () => this.dialog.close()),
      ),
    );
    signal.addEventListener("abort", () => this.dialog.close());
  }

  open(): void {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.start.focus();
  }

  /** Says what is raced in, where it is known later. */
  rename(name: string): void {
    write(this.dialog.querySelector("h2") as HTMLElement, titleOf(name));
  }

  showWho(text: string): void {
    write(this.#who, text);
  }

  say(text: string): void {
    write(this.#words, text);
  }

  /** Offers the start of a race, at first or again. */
  offerStart(label: string): void {
    write(this.start, label);
    this.start.disabled = false;
    this.start.focus();
  }
}
