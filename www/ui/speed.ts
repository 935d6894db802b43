// The speed of training: slow, normal or max, a slider as a fine control, and the measured rate.

import { el, listen, write } from "../core/dom";
import { MeanSpeed } from "../core/forecast";
import { formatCompact } from "../core/format";
import { DEFAULT_PACE, SLOW_PACE } from "../core/pace";
import type { Run } from "../core/run";
import { Choices } from "./choices";

/**
 * The positions (notches) of the slider are 0 to `LAST_NOTCH`. The last is max speed; the others rise in equal ratios
 * from 1 to `MAX_PACE` steps per second.
 */
const LAST_NOTCH = 60;
const MAX_PACE = 10_000;
/** After a change by keyboard or button the slider's value is shown for this long. */
const SHOW_VALUE_MS = 1500;

type Speed = "slow" | "normal" | "max";
const PACES: Record<Speed, number | null> = { slow: SLOW_PACE, normal: DEFAULT_PACE, max: null };

/** Steps per second at a position of the slider; null for max speed. */
function paceAt(notch: number): number | null {
  if (notch >= LAST_NOTCH) return null;
  const pace = MAX_PACE ** (notch / (LAST_NOTCH - 1));
  return pace < 10 ? Math.round(pace * 10) / 10 : Number(pace.toPrecision(2));
}

/** The position of the slider for a pace. */
function notchOf(pace: number | null): number {
  if (pace === null) return LAST_NOTCH;
  return Math.round((Math.log(Math.max(1, pace)) / Math.log(MAX_PACE)) * (LAST_NOTCH - 1));
}

/** The named speed that is nearest to a pace by ratio. */
function speedOf(pace: number | null): Speed {
  if (pace === null) return "max";
  // By ratio, the middle between the two is their geometric mean, the root of their product.
  return pace * pace < SLOW_PACE * DEFAULT_PACE ? "slow" : "normal";
}

export class SpeedControls {
  /** The buttons for slow, normal and max. */
  readonly buttons: HTMLElement;
  /** The slider with its value. */
  readonly fine: HTMLElement;
  /** The measured rate, in the lab's unit of effort, such as environment steps. */
  readonly rate = el("p", { class: "rate num", title: "Measured speed of training" });
  #choices: Choices<Speed>;
  #slider = el("input", {
    type: "range",
    min: 0,
    max: LAST_NOTCH,
    step: 1,
    id: "speed",
    "aria-label": "Training speed",
  });
  #pace = el("output", { class: "pace num", for: "speed" });
  /** The timer that hides the slider's value again. */
  #hideTimer = 0;
  /**
   * The last rate above zero, in work per second; 0 if none was measured since the speed was chosen or a run opened.
   */
  #measuredRate = 0;
  #mean = new MeanSpeed();

  /** Of the lab's words, `work` is the plural noun for the unit of effort. */
  constructor(
    readonly run: Run,
    readonly about: { work: string; unit: string },
  ) {
    const title = (pace: number | null) =>
      pace === null ? "As fast as this device can" : `${pace} training steps per second`;
    const choice = (speed: Speed, text: string) => ({ value: speed, title: title(PACES[speed]), content: [text] });
    this.#choices = new Choices<Speed>({
      class: "segments speeds",
      buttonClass: "button",
      label: "Speed of training",
      choices: [choice("slow", "Slow"), choice("normal", "Normal"), choice("max", "Max")],
      choose: (speed) => this.#choose(PACES[speed]),
      repeats: () => true, // a press sets the exact pace of the name again
    });
    this.buttons = this.#choices.element;
    listen(this.#slider, { input: () => this.#choose(paceAt(Number(this.#slider.value))) });
    this.fine = el(
      "label",
      { class: "speed", title: `Training steps, parts of the ${about.unit}s, per second` },
      el("span", { class: "speed-name", text: "Speed" }),
      this.#slider,
      this.#pace,
    );
    run.on("progress", () => this.#drawRate());
    run.on("replaying", () => this.#drawRate());
    run.on("opened", () => (this.#measuredRate = 0));
    this.#draw();
    this.#drawRate();
  }

  /** Makes the run faster by some positions of the slider, or slower if negative. */
  shift(notches: number): void {
    this.#choose(paceAt(Math.max(0, Math.min(LAST_NOTCH, notchOf(this.run.pace) + notches))));
  }

  #choose(pace: number | null): void {
    this.run.setPace(pace);
    this.#measuredRate = 0;
    this.#draw();
    this.fine.classList.add("moved");
    clearTimeout(this.#hideTimer);
    this.#hideTimer = window.setTimeout(() => this.fine.classList.remove("moved"), SHOW_VALUE_MS);
  }

  #draw(): void {
    const { pace } = this.run;
    const notch = notchOf(pace);
    this.#slider.value = String(notch);
    this.fine.style.setProperty("--at", String(notch / LAST_NOTCH));
    this.#slider.style.setProperty("--fill", `${(notch / LAST_NOTCH) * 100}%`);
    const text = pace === null ? "max speed" : `${formatCompact(pace)} steps/s`;
    write(this.#pace, text);
    this.#slider.setAttribute("aria-valuetext", text);
    this.#choices.show(speedOf(pace));
  }

  #drawRate(): void {
    const { running, unitsWork, workPerSecond, stepsPerSecond } = this.run.progress;
    // The mean over whole units, tests of the agent included: the speed of the moment falls while one is computed. A
    // chosen speed shows at once.
    const of = `${this.run.note.id} ${running} ${stepsPerSecond}`;
    const rate = this.#mean.note(of, performance.now() / 1000, unitsWork, workPerSecond);
    // The first test counts no work, so the rate from before stays. Just after a start it is unknown.
    if (rate > 0) this.#measuredRate = rate;
    const text = this.#measuredRate > 0 ? formatCompact(this.#measuredRate) : "–";
    write(this.rate, running ? `${text} ${this.about.work}/s` : this.run.isReplaying ? "replaying" : "paused");
  }
}
