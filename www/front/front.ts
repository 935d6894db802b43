// The front (home page): a sentence about the site, and a card for each lab, whose small picture shows a recorded agent
// before and after training. No lab is loaded here.

import { button, el, write } from "../core/dom";
import type { Offline } from "../core/offline";
import type { Run } from "../core/run";
import { reducedMotion } from "../core/theme";
import { FrontCard, type ListedLab } from "./card";
import { KeepAll } from "./keep-all";
import { Ticker } from "../ui/small-picture/ticker";
import "../style/front.css";

/** The delay between the starts of neighbouring recordings, so that the cards do not all change at once. */
const STAGGER_SECONDS = 1.7;

const PAUSE_LABEL = "Pause animations";
const PLAY_LABEL = "Play animations";

export class Front {
  readonly element: HTMLElement;
  #cards: FrontCard[];
  #pause = button(PAUSE_LABEL, () => (this.#ticker.paused = !this.#ticker.paused), { class: "small" });
  #ticker = new Ticker(() => this.#changed());

  /**
   * The main link starts the first lab, or continues its saved run. `saved` has an entry for each lab: how many units
   * (training iterations) its saved run has trained, or null if there is none. `loadOffline` loads the module that
   * keeps labs on this device.
   */
  constructor(labs: ListedLab[], run: Run, saved: Promise<number | null>[], loadOffline: () => Promise<Offline>) {
    this.#cards = labs.map(
      (lab, i) => new FrontCard(lab, run, saved[i] as Promise<number | null>, this.#ticker, i * STAGGER_SECONDS),
    );
    const [first] = labs as [ListedLab];
    const start = el("a", { class: "front-start", href: `#/${first.id}`, text: `Start with ${first.title}` });
    this.element = el(
      "article",
      { class: "front" },
      el(
        "header",
        { class: "front-head" },
        el("h1", { text: "Small agents that learn while you watch" }),
        el("p", {
          class: "front-lead",
          text: "Each lab has a task, an agent that starts untrained, and settings that you can change. It all happens in this tab, on your own machine. Nothing leaves it unless you choose to train with others.",
        }),
        start,
        el("p", {}, "Or step by step, alone or in a class: ", el("a", { href: "#/lessons", text: "Lessons" })),
      ),
      el("ul", { class: "front-cards" }, ...this.#cards.map(({ element }) => element)),
      el(
        "p",
        { class: "front-note" },
        el("span", {
          text: "The animations are recordings of real runs. Each caption says how far training had come. If a run is open, its card shows that run.",
        }),
        this.#pause,
        new KeepAll(loadOffline).element,
        el(
          "span",
          {},
          "In a fleet, many machines train one agent together. Do you have a fleet's link? ",
          el("a", { href: "fleet.html", text: "Join the fleet." }),
        ),
        el(
          "span",
          {},
          "Train together, each with a different seed: ",
          el("a", { href: "#/class", text: "Open a class." }),
        ),
        el(
          "span",
          {},
          "For articles and courses: ",
          el("a", { href: "embed-maker.html", text: "Put a lab on your page." }),
        ),
      ),
    );
    void saved[0]?.then((units) => units && write(start, `Continue with ${first.title}`));
    this.#pause.hidden = reducedMotion();
  }

  /** Animations were paused or go on, or the visitor's wish for reduced motion changed. */
  #changed(): void {
    this.#pause.hidden = reducedMotion();
    write(this.#pause, this.#ticker.paused ? PLAY_LABEL : PAUSE_LABEL);
    for (const card of this.#cards) {
      card.paused = this.#ticker.paused;
      card.draw();
    }
  }

  destroy(): void {
    this.#ticker.destroy();
    for (const card of this.#cards) card.destroy();
  }
}
