// Lets the live world run in real time: with actions drawn at random until the visitor plays it. It only decides what
// to ask the worker for; stage.ts draws what comes back.

import { actionOf, controlsOf, randomAction, waitsForPresses, type Controls } from "./controls";
import type { Moment } from "./messages";
import type { WorldSummary } from "../../../generated/protocol";

/** A longer time between two frames counts as this. */
const MAX_FRAME_SECONDS = 0.25;
/** The most steps that one request asks for: a world that cannot keep up falls behind. */
const MAX_STEPS = 60;
/** How long the end of an episode is shown, in seconds by the clock. */
const END_SECONDS = 1.5;
/** A random action stays for this long, in seconds of the world. */
const RANDOM_SECONDS = 0.3;
/** A key that is held takes a step this often where the world waits for presses. */
const REPEAT_SECONDS = 0.2;

/** What the worker is to do. */
export type Wish = { type: "advance"; steps: number; action: number[] } | { type: "next" };

export class Player {
  controls: Controls | null = null;
  /** Whether the visitor plays; otherwise actions are drawn at random. */
  playing = false;
  paused = false;
  /** Times as fast as real time. */
  pace = 1;
  /** Whether the world moves only when something is pressed. */
  waits = false;
  /** The present action. */
  action: number[] = [];
  #keys = new Set<string>();
  /** Keys that were pressed since the last step, also those that were released again. */
  #tapped = new Set<string>();
  #pointer: { x: number; y: number } | null = null;
  /** Whether a slider was moved since the last step. */
  #isMoved = false;
  /** Whether something was pressed when the last action was chosen. */
  #wasPressed = false;
  #secondsPerStep = 1;
  /** The steps that are due in real time; the fraction is kept for the next frame. */
  #dueSteps = 0;
  /** Seconds by the clock since the last step of a world that waits for presses. */
  #sinceStep = Infinity;
  /** Seconds of the world since a random action was drawn. */
  #sinceRandom = Infinity;
  /** Seconds by the clock for which the end of the episode has been shown. */
  #endSeconds = 0;

  constructor(readonly random: () => number = Math.random) {}

  /** A text has become the live world. The visitor goes on playing if the actions are the same. */
  setWorld(summary: WorldSummary): void {
    const controls = controlsOf(summary.actions);
    const isSame = JSON.stringify(controls) === JSON.stringify(this.controls);
    const waits = waitsForPresses(controls, summary.secondsPerStep);
    if (!isSame) {
      this.controls = controls;
      this.action = [];
      this.release();
    }
    if (!isSame || this.#secondsPerStep !== summary.secondsPerStep) this.waits = waits;
    this.#secondsPerStep = summary.secondsPerStep;
  }

  /** A key that plays, or a choice's button, is pressed or released. */
  setKey(key: string, down: boolean): void {
    if (down) {
      if (!this.#keys.has(key)) this.#sinceStep = Infinity;
      this.#keys.add(key);
      this.#tapped.add(key);
    } else this.#keys.delete(key);
  }

  /** The pointer plays at a place of the picture, from -1 to 1; null if it does not. */
  setPointer(place: { x: number; y: number } | null): void {
    this.#pointer = place;
  }

  /** Sets a continuous action by its slider; it stays. */
  setAxis(index: number, value: number): void {
    // Keys that were released since the last step no longer hold their actions.
    if (this.controls) this.#choose(this.controls);
    this.action = this.action.with(index, value);
    this.#isMoved = true;
  }

  release(): void {
    this.#keys.clear();
    this.#tapped.clear();
    this.#pointer = null;
    this.#isMoved = false;
  }

  /** What is due after `seconds` more by the clock; null if nothing is. */
  due(seconds: number, { episode }: Moment): Wish | null {
    if (!this.controls || !episode || this.paused) return null;
    if (episode.state !== "running") {
      this.#endSeconds += seconds;
      if (this.#endSeconds < END_SECONDS) return null;
      this.#endSeconds = this.#dueSteps = 0;
      return { type: "next" };
    }
    this.#endSeconds = 0;
    const steps = this.playing && this.waits ? this.#pressedSteps(seconds) : this.#elapsedSteps(seconds);
    if (steps === 0) return null;
    if (this.playing) this.#choose(this.controls);
    else this.#chooseRandomly(this.controls, steps);
    return { type: "advance", steps, action: this.action };
  }

  #elapsedSteps(seconds: number): number {
    this.#dueSteps += (Math.min(MAX_FRAME_SECONDS, seconds) * this.pace) / this.#secondsPerStep;
    const steps = Math.floor(this.#dueSteps);
    this.#dueSteps -= steps;
    return Math.min(MAX_STEPS, steps);
  }

  #pressedSteps(seconds: number): number {
    this.#sinceStep += seconds;
    const isPressed = this.#keys.size > 0 || this.#tapped.size > 0 || this.#pointer !== null || this.#isMoved;
    if (!isPressed || this.#sinceStep < REPEAT_SECONDS) return 0;
    this.#sinceStep = 0;
    return 1;
  }

  #choose(controls: Controls): void {
    const keys = new Set([...this.#keys, ...this.#tapped]);
    this.#tapped.clear();
    this.#isMoved = false;
    const isPressed = keys.size > 0 || this.#pointer !== null;
    const released = this.#wasPressed && !isPressed;
    this.action = actionOf(controls, { keys, pointer: this.#pointer }, this.action, released);
    this.#wasPressed = isPressed;
  }

  #chooseRandomly(controls: Controls, steps: number): void {
    this.#sinceRandom += steps * this.#secondsPerStep;
    if (this.#sinceRandom < RANDOM_SECONDS && this.action.length > 0) return;
    this.#sinceRandom = 0;
    this.action = randomAction(controls, this.random);
  }
}

/** The visitor's scores. */
export class Scores {
  /** The score of the last episode that has ended, and the best one; null before there was one. */
  last: number | null = null;
  best: number | null = null;

  ended(score: number): void {
    this.last = score;
    this.best = Math.max(this.best ?? -Infinity, score);
  }
}
