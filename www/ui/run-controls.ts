// The dock at the lower edge of the window with the controls of the run: run or pause, make one step, finish the unit
// (training iteration), set the speed, restart. It also shows how far the run has come, and in a narrow window opens
// the sheet with the dials.

import { el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { formatInteger, withUnit } from "../core/format";
import { settingTitle } from "../core/labels";
import type { ShownTest } from "../core/shown-test";
import { headlineValue, targetWords, type Headline } from "./headline";
import { icon } from "./icons";
import { SpeedControls } from "./speed";
import { term } from "./term";

export class RunControls {
  readonly element: HTMLElement;
  readonly speed: SpeedControls;
  /** Where the slider of the speed stands in a wide window. */
  readonly finePlace = el("div", { class: "dock-fine" });
  readonly play = el("button", { class: "play", type: "button" });
  /** The buttons for a step and a unit: beside the play button, or in a narrow window in the sheet. */
  readonly steps: HTMLElement;
  /** Whether the play button shows a running run; null before it is drawn. */
  #playing: boolean | null = null;
  #units = el("span", { class: "num" });
  /** The lab's word for a unit, a term whose explanation can be opened. */
  #unitName: HTMLElement;
  #work = el("span", { class: "num" });
  /** The headline, which is shown in narrow windows, where the goal panel is out of sight. */
  #score = el("b", { class: "num counts-score" });
  #restart = el("button", { class: "restart", type: "button" });
  #restartText = el("span", {});
  #rows: HTMLElement[];
  /** The place of a notice, which covers the counts and the rate (style/notices.css). */
  readonly noticePlace = el("div", { class: "notice-place" });

  constructor(
    /** The test (evaluation) whose score is shown. */
    readonly shown: ShownTest,
    readonly draft: Draft,
    readonly restart: () => void,
    readonly headline: () => Headline,
    /** Opens and closes the sheet with the dials. */
    dialsButton: HTMLElement,
  ) {
    const about = draft.lab.about;
    const { run } = shown;
    this.#unitName = term(about.unit, about.unit);
    const tool = (label: string, name: "step" | "unit", press: () => void, key?: string) => {
      const button = el("button", {
        class: "tool",
        type: "button",
        title: key ? `${label} (${key})` : label,
        "aria-label": label,
        on: { click: press },
      });
      button.append(icon(name));
      return button;
    };
    listen(this.play, { click: () => this.toggle() });
    this.#restart.append(icon("restart"), this.#restartText);
    listen(this.#restart, { click: () => this.restart() });
    this.speed = new SpeedControls(run, about);
    this.steps = el(
      "div",
      { class: "dock-steps" },
      tool(`One training step, a part of this ${about.unit}`, "step", () => run.step(), "."),
      tool(`Finish this ${about.unit}`, "unit", () => void run.finishUnit()),
    );
    const rows = [
      el(
        "div",
        { class: "dock-row" },
        this.play,
        this.steps,
        el(
          "p",
          { class: "counts" },
          this.#score,
          el("span", {}, this.#units, " ", this.#unitName, el("span", { class: "quiet", text: " done" })),
          el("span", { class: "quiet" }, this.#work, ` ${about.work} so far`),
        ),
        this.#restart,
      ),
      el("div", { class: "dock-row" }, this.speed.buttons, this.finePlace, this.speed.rate, dialsButton),
    ];
    // In a narrow window the steps are in no row.
    this.#rows = [...rows, this.steps];
    this.element = el("div", { class: "dock", role: "group", "aria-label": "Run" }, ...rows, this.noticePlace);
    run.on("progress", () => this.#draw());
    shown.on("changed", () => this.#drawScore());
    draft.on("changed", () => this.#drawRestart());
    this.#draw();
    this.#drawScore();
    this.#drawRestart();
  }

  /** Calls `change`, which shows or hides a notice. Meanwhile the slider keeps its width, so that nothing moves. */
  keepWidth(change: () => void): void {
    const { width } = this.finePlace.getBoundingClientRect();
    change();
    const hasNotice = this.noticePlace.querySelector(".notice") !== null;
    this.finePlace.style.flexBasis = hasNotice && width > 0 ? `${width}px` : "";
  }

  /** Disables the controls, but not what a notice offers. */
  set inert(inert: boolean) {
    for (const row of this.#rows) row.inert = inert;
  }

  /** Runs or pauses. */
  toggle(): void {
    const { run } = this.shown;
    if (run.progress.running) run.pause();
    else run.play();
  }

  /** Draws the button and the counts. */
  #draw(): void {
    // Of one moment: `work` would also count what was done of the unit in progress.
    const { running, units, unitsWork } = this.shown.run.progress;
    if (running !== this.#playing) {
      this.#playing = running;
      const verb = running ? "Pause" : "Run";
      // A picture may have a pause of its own, so the button says what it is for.
      const words = el("span", { class: "play-words" }, `${verb} `, el("small", { text: "training" }));
      this.play.replaceChildren(icon(running ? "pause" : "play"), words);
      this.play.setAttribute("title", `${verb} training (Space)`);
      this.element.classList.toggle("running", running);
    }
    const { unit } = this.draft.lab.about;
    write(this.#units, formatInteger(units));
    write(this.#unitName, units === 1 ? unit : `${unit}s`);
    write(this.#work, formatInteger(unitsWork));
  }

  #drawScore(): void {
    const { goal, series } = this.shown.run;
    const headline = this.headline();
    const last = (metric: string) => this.shown.last(metric);
    const value = headlineValue(headline, series, last);
    const { metric, target, unit } = headline;
    const goalWords = target === null ? "" : `goal ${targetWords(target, unit)}`;
    const isMeasured = Number.isFinite(last(metric));
    const valueWords = !isMeasured ? "–" : unit === "%" ? withUnit(value, unit) : value;
    this.#score.classList.toggle("has-reached", this.shown.reachesGoal);
    this.#score.classList.toggle("fell-back", this.shown.isWorse);
    const isLoading = this.shown.run.lab === null;
    write(this.#score, isLoading ? "Loading …" : goal ? [valueWords, goalWords].filter(Boolean).join(", ") : "");
  }

  #drawRestart(): void {
    // Before a run is open, nothing is waiting for the next one.
    const waiting = this.shown.run.open ? this.draft.changesNeedingRestart() : [];
    this.#restart.classList.toggle("waiting", waiting.length > 0);
    write(this.#restartText, waiting.length > 0 ? "Restart to apply" : "Restart");
    this.#restart.title =
      waiting.length > 0
        ? `Start a new run with the new ${waiting.map((name) => settingTitle(this.draft.lab, name)).join(", ")}`
        : "Start a new run with the same settings and seed";
  }
}
