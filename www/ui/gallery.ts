// The gallery: a card for each lab with its title and a small picture. On the card of the lab whose run is open, the
// picture moves and a line tells how far the run has come.

import { el, write } from "../core/dom";
import { ViewLoop } from "../core/view-loop";
import type { Run } from "../core/run";
import { isSolved } from "../core/run";
import { formatInteger } from "../core/format";
import type { LabInfo } from "../generated/protocol";
import { cardPicture } from "../labs/card-pictures";
import "../style/gallery.css";

export class Gallery {
  readonly element: HTMLElement;
  #cleanups: (() => void)[] = [];

  constructor(labs: LabInfo[], run: Run) {
    this.element = el(
      "article",
      { class: "gallery" },
      el("h1", { text: "Small agents that learn while you watch" }),
      el("p", {
        class: "lead",
        text: "Each lab has a task, an agent that starts untrained, and settings that you can change. Everything runs in this tab on your own machine. Nothing is sent anywhere.",
      }),
      el("ul", { class: "lab-cards" }, ...labs.map((lab) => this.#card(lab, run))),
    );
  }

  #card(lab: LabInfo, run: Run): HTMLElement {
    const { about } = lab;
    const picture = cardPicture(about.id);
    const live = run.lab?.about.id === about.id; // the open run is one of this lab
    if (picture && live) {
      const viewLoop = new ViewLoop(run, (view, seconds) => picture.draw(view, seconds));
      this.#cleanups.push(() => viewLoop.stop());
    }
    const state = el("span", { class: "lab-card-state num" });
    const showState = () => {
      const { running, units, solvedAt } = run.progress;
      const activity = running ? "learning now" : "paused";
      const solved = isSolved(run.progress) ? `goal reached in ${about.unit} ${formatInteger(solvedAt ?? 0)}, ` : "";
      const text = `${solved}${activity}, ${about.unit} ${formatInteger(units)}`;
      write(state, live ? text.charAt(0).toUpperCase() + text.slice(1) : "");
    };
    if (live) this.#cleanups.push(run.on("progress", showState));
    showState();
    return el(
      "li",
      {},
      el(
        "a",
        { class: "lab-card", href: `#/${about.id}` },
        el("span", { class: "lab-card-picture" }, picture?.element),
        el(
          "span",
          { class: "lab-card-words" },
          el("span", { class: "lab-card-title", text: about.title }),
          el("span", { class: "lab-card-tagline", text: about.tagline }),
          state,
        ),
      ),
    );
  }

  destroy(): void {
    for (const cleanup of this.#cleanups) cleanup();
  }
}
