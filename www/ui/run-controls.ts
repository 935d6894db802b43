// The dock at the lower edge of the window with the controls of the run: run or pause, make one step, finish the unit
// (training iteration), set the speed, restart. It also shows how far the run has come.

import { el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { formatCompact, formatCount, formatNumber, formatInteger } from "../core/format";
import { settingLabel } from "../core/labels";
import type { Run } from "../core/run";
import type { Goal } from "../generated/protocol";
import { icon } from "./icons";

/**
 * The positions (notches) of the speed slider are 0 to `NOTCHES`. The last is max speed; the others rise in equal
 * ratios from 1 to `MAX_PACE` steps per second.
 */
const NOTCHES = 60;
const MAX_PACE = 10_000;

/** Steps per second at a position of the slider; null for max speed. */
function paceAt(notch: number): number | null {
  if (notch >= NOTCHES) return null;
  const pace = MAX_PACE ** (notch / (NOTCHES - 1));
  return pace < 10 ? Math.round(pace * 10) / 10 : Number(pace.toPrecision(2));
}

/** The position of the slider for a pace. */
function notchOf(pace: number | null): number {
  if (pace === null) return NOTCHES;
  return Math.round((Math.log(Math.max(1, pace)) / Math.log(MAX_PACE)) * (NOTCHES - 1));
}

export class RunControls {
  readonly element: HTMLElement;
  #play = el("button", { class: "play", type: "button" });
  /** Whether the play button shows a running run; null before it is drawn. */
  #playing: boolean | null = null;
  #speed = el("input", { type: "range", min: 0, max: NOTCHES, step: 1, id: "speed", "aria-label": "Training speed" });
  #pace = el("output", { class: "pace num", for: "speed" });
  #units = el("span", { class: "num" });
  #work = el("span", { class: "num" });
  /** The goal's metric, which is shown on a phone, where the goal panel is out of sight. */
  #score = el("b", { class: "num counts-score" });
  #restart = el("button", { class: "restart", type: "button" });
  #restartText = el("span", {});

  constructor(
    readonly run: Run,
    readonly draft: Draft,
    readonly restart: () => void,
  ) {
    const about = draft.lab.about;
    const tool = (label: string, name: "step" | "unit", press: () => void, shortcut: string) => {
      const button = el("button", {
        class: "tool",
        type: "button",
        title: `${label}${shortcut}`,
        "aria-label": label,
        on: { click: press },
      });
      button.append(icon(name));
      return button;
    };
    listen(this.#play, { click: () => this.toggle() });
    this.#restart.append(icon("restart"), this.#restartText);
    listen(this.#restart, { click: () => this.restart() });
    listen(this.#speed, { input: () => this.#choose(Number(this.#speed.value)) });
    this.element = el(
      "div",
      { class: "dock", role: "group", "aria-label": "Run" },
      this.#play,
      tool("Make one training step", "step", () => this.run.step(), " (.)"),
      tool(`Finish this ${about.unit}`, "unit", () => this.run.finishUnit(), ""),
      el("label", { class: "speed" }, el("span", { class: "speed-end", text: "slow" }), this.#speed, this.#pace),
      el(
        "p",
        { class: "counts" },
        this.#units,
        el("span", { class: "quiet" }, this.#work, ` ${about.work}`),
        this.#score,
      ),
      this.#restart,
    );
    run.on("progress", () => this.#draw());
    draft.on("changed", () => this.#drawRestart());
    this.showPace();
    this.#draw();
    this.#drawRestart();
  }

  /** Runs or pauses. */
  toggle(): void {
    if (this.run.progress.running) this.run.pause();
    else this.run.play();
  }

  /** Makes the run faster by some positions of the slider, or slower if negative. */
  shift(notches: number): void {
    const notch = Math.max(0, Math.min(NOTCHES, notchOf(this.run.pace) + notches));
    this.#choose(notch);
  }

  #choose(notch: number): void {
    this.run.setPace(paceAt(notch));
    this.showPace();
  }

  showPace(): void {
    const notch = notchOf(this.run.pace);
    this.#speed.value = String(notch);
    this.#speed.style.setProperty("--fill", `${(notch / NOTCHES) * 100}%`);
    const text = this.run.pace === null ? "max speed" : `${formatCompact(this.run.pace)} steps/s`;
    write(this.#pace, text);
    this.#speed.setAttribute("aria-valuetext", text);
  }

  /** `work` counts the lab's unit of effort, such as environment steps. */
  #draw(): void {
    const { running, units, work } = this.run.progress;
    if (running !== this.#playing) {
      this.#playing = running;
      this.#play.replaceChildren(icon(running ? "pause" : "play"), el("span", { text: running ? "Pause" : "Run" }));
      this.#play.setAttribute("title", `${running ? "Pause" : "Run"} (Space)`);
      this.element.classList.toggle("running", running);
    }
    write(this.#units, formatCount(units, this.draft.lab.about.unit));
    write(this.#work, formatInteger(work));
    const { goal, series } = this.run;
    const text = (n: number, metric: string) => formatNumber(n, 3, series.spec(metric)?.unit);
    const score = ({ metric, target }: Goal) => `${text(series.last(metric), metric)}, goal ${text(target, metric)}`;
    write(this.#score, goal ? score(goal) : "");
  }

  #drawRestart(): void {
    const waiting = this.draft.changesNeedingRestart();
    this.#restart.classList.toggle("waiting", waiting.length > 0);
    write(this.#restartText, waiting.length > 0 ? "Restart to apply" : "Restart");
    this.#restart.title =
      waiting.length > 0
        ? `Start a new run with the new ${waiting.map(settingLabel).join(", ")}`
        : "Start a new run with the same settings and seed";
  }
}
