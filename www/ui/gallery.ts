// The gallery: every lab there is, each with a small picture, live where its run goes on.

import { el, write } from "../core/dom";
import { Pump } from "../core/pump";
import type { Run } from "../core/run";
import { isSolved } from "../core/run";
import { whole } from "../core/format";
import type { LabInfo } from "../generated/protocol";
import { CARDS } from "../labs/cards";

export class Gallery {
  readonly element: HTMLElement;
  #leave: (() => void)[] = [];

  constructor(labs: LabInfo[], run: Run) {
    this.element = el(
      "article",
      { class: "gallery" },
      el("h1", { text: "Small agents that learn while you watch" }),
      el("p", {
        class: "lead",
        text: "Each lab is a world, an agent that begins knowing nothing, and dials. Everything runs in this tab, on your own machine; nothing is sent anywhere.",
      }),
      el("ul", { class: "lab-cards" }, ...labs.map((lab) => this.#card(lab, run))),
    );
  }

  #card(lab: LabInfo, run: Run): HTMLElement {
    const { about } = lab;
    const picture = CARDS[about.id]?.();
    const live = run.lab?.about.id === about.id;
    if (picture && live) {
      const pump = new Pump(run, (view, seconds) => picture.draw(view, seconds));
      this.#leave.push(() => pump.stop());
    }
    const state = el("span", { class: "lab-card-state num" });
    const tell = () => {
      const { running, units, solvedAt } = run.progress;
      const now = running ? "learning now" : "paused";
      const solved = isSolved(run.progress) ? `solved in ${about.unit} ${whole(solvedAt ?? 0)}, ` : "";
      const text = `${solved}${now}, ${about.unit} ${whole(units)}`;
      write(state, live ? text.charAt(0).toUpperCase() + text.slice(1) : "");
    };
    if (live) this.#leave.push(run.on("progress", tell));
    tell();
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

  leave(): void {
    for (const leave of this.#leave) leave();
  }
}
