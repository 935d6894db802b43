// The front (home page): a sentence about the site, and a card for each lab, whose small picture shows a recorded agent before and
// after training. No lab is loaded here.

import { button, el, write } from "../core/dom";
import type { Run } from "../core/run";
import { reducedMotion } from "../core/theme";
import { FrontCard, type ListedLab } from "./card";
import { pictureOf } from "./pictures";
import { Ticker } from "./ticker";
import "../style/front.css";

/** The delay between the starts of neighbouring recordings, so that the cards do not all change at once. */
const SECONDS_APART = 1.7;

export class Front {
  readonly element: HTMLElement;
  #cards: FrontCard[];
  #pause = button("Pause the pictures", () => (this.#ticker.paused = !this.#ticker.paused), { class: "small" });
  #ticker = new Ticker(() => this.#changed());

  /**
   * The main button leads to the first lab. `saved` are the units of the
   * saved run of each lab, or null where there is none.
   */
  constructor(labs: ListedLab[], run: Run, saved: Promise<number | null>[]) {
    this.#cards = labs.map(
      (lab, i) => new FrontCard(lab, run, saved[i] as Promise<number | null>, this.#ticker, i * SECONDS_APART),
    );
    const [first] = labs as [ListedLab];
    const start = el("a", { class: "front-start", href: `#/${first.id}`, text: `Start with ${first.title}` });
    const seed = pictureOf(first.id)?.recording.seed;
    this.element = el(
      "article",
      { class: "front" },
      el(
        "header",
        { class: "front-head" },
        el("h1", { text: "Small agents that learn while you watch" }),
        el("p", {
          class: "front-lead",
          text: "Each lab has a task, an agent that starts untrained, and settings that you can change. Everything runs in this tab on your own machine. Nothing is sent anywhere.",
        }),
        start,
      ),
      el("ul", { class: "front-cards" }, ...this.#cards.map(({ element }) => element)),
      el(
        "p",
        { class: "front-note" },
        el("span", {
          text: `The pictures are recordings of real runs with seed ${seed}, at the iterations in their captions.`,
        }),
        this.#pause,
        el(
          "span",
          {},
          "Do you have a link to a fleet, in which many machines train together? ",
          el("a", { href: "fleet.html", text: "Join it in this browser." }),
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
    this.#changed();
  }

  #changed(): void {
    this.#pause.hidden = reducedMotion();
    write(this.#pause, this.#ticker.paused ? "Play the pictures" : "Pause the pictures");
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
