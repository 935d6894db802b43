// The screen of a lab: the picture first, few words beside it, the dock, then curves, dials, files.

import { el, watchVisible, write } from "../core/dom";
import { Draft } from "../core/draft";
import type { Settings } from "../core/link";
import { Pump } from "../core/pump";
import type { Run } from "../core/run";
import type { LabInfo } from "../generated/protocol";
import type { LabView, ViewModule } from "../labs/views";
import { Curves } from "./curves";
import { Dials } from "./dials";
import { GoalPanel } from "./goal";
import { Race } from "./race";
import { Share, type ShareActs } from "./share";
import { Strip } from "./strip";
import { Transport } from "./transport";

export interface ScreenActs extends ShareActs {
  /** Start anew with the settings the dials show. */
  restart(): void;
  /** Goes on from a checkpoint. */
  openFile(file: File): void;
}

export class LabScreen {
  readonly element: HTMLElement;
  /** The dock's place at the lower edge; notes stand above it. */
  readonly dock: HTMLElement;
  readonly draft: Draft;
  readonly transport: Transport;
  readonly strip: Strip;
  readonly share: Share;
  readonly view: LabView | null;
  #picture = el("div", { class: "picture" });
  #warning = el("p", { class: "warning", role: "status", hidden: true });
  #curves: Curves;
  #pump: Pump | null = null;
  #leave: (() => void)[] = [];

  constructor(
    readonly lab: LabInfo,
    readonly run: Run,
    module: ViewModule | null,
    acts: ScreenActs,
  ) {
    const { about } = lab;
    run.usePace(module?.pace);
    this.draft = new Draft(lab, run);
    this.transport = new Transport(run, this.draft, acts.restart);
    this.strip = new Strip(lab, run);
    this.share = new Share(this.draft, acts);
    this.#curves = new Curves(lab, run);
    const attempt = (settings: Settings) => {
      this.draft.preset(settings);
      if (this.draft.waiting().length > 0) acts.restart();
      else run.play();
    };
    this.view = module?.open(run, attempt, acts.openFile) ?? null;
    if (this.view) this.#picture.append(this.view.element);
    else this.#picture.append(el("p", { class: "card quiet", text: about.picture }));
    const goal = new GoalPanel(run, attempt, this.#curves.main, () => module?.suggestions(run) ?? []);
    this.#picture.append(goal.pill);
    const word = (title: string, text: string) => el("div", {}, el("h2", { text: title }), el("p", { text }));
    const caption = this.view && el("p", { class: "caption" }, el("b", { text: "What you see. " }), about.picture);
    this.dock = el("div", { class: "dock-place" }, this.transport.element);
    this.element = el(
      "article",
      { class: "lab" },
      el(
        "div",
        { class: "lab-top" },
        el(
          "div",
          { class: "lab-head" },
          el("h1", { text: about.title }),
          el("p", { class: "tagline", text: about.tagline }),
        ),
        el("div", { class: "lab-main" }, this.view?.choice, this.#picture, caption, this.strip.element, this.#warning),
        goal.element,
        el("div", { class: "words" }, word("The agent", about.agent), word("Its goal", about.goal)),
      ),
      this.dock,
    );
    const race = new Race(run);
    this.#leave.push(() => race.leave());
    // What lies below the picture comes a moment later, each part in a task of its own.
    const below = [
      () => this.#curves.element,
      () => new Dials(this.draft, acts.restart).element,
      () => race.element,
      () => this.share.element,
    ];
    below.forEach((part, i) => setTimeout(() => this.element.append(part()), 60 * (i + 1)));
    this.#listen();
  }

  #listen(): void {
    const { run, view } = this;
    this.#leave.push(
      run.on("opened", () => view?.opened()),
      run.on("solved", () => view?.celebrate()),
      run.on("diverged", (diverged) => {
        this.#warning.hidden = !diverged;
        write(
          this.#warning,
          diverged
            ? "The losses are no numbers any more: the learning rate is probably too high. Lower it and restart."
            : "",
        );
      }),
    );
    if (!view) return;
    this.#pump = new Pump(run, (raw, seconds) => view.draw(raw, seconds));
    this.#leave.push(watchVisible(this.#picture, (visible) => this.#pump && (this.#pump.visible = visible)));
  }

  /** A card in the place of the picture, or the picture again. */
  cover(card: HTMLElement | null): void {
    this.#picture.querySelector(":scope > .card.over")?.remove();
    this.#picture.classList.toggle("covered", card !== null);
    this.transport.element.inert = card !== null;
    if (!card) return;
    card.classList.add("over");
    this.#picture.append(card);
  }

  leave(): void {
    this.#pump?.stop();
    this.#curves.leave();
    this.view?.leave();
    for (const leave of this.#leave) leave();
  }
}
