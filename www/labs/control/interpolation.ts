// Smooths the motion on the stage, the large world in real time. The lab sends a state per step, and the drawing moves
// from each to the next along a cubic Hermite spline through positions and speeds. It has to wait for the end of the
// way, so the picture is up to one step behind.

import type { ControlStage } from "../../generated/protocol";
import { wrapAngle } from "../../core/motion";
import type { Motion, State } from "./worlds/world-kind";

export class StateInterpolator {
  /** The states between which the drawing moves, and the state that is drawn. */
  #from: number[] = [];
  #to: number[] = [];
  #shown: number[] = [];
  /** The step count and the episode of `#to`. */
  #steps = 0;
  #episode = -1;
  /** Steps between `#from` and `#to`. */
  #stepsBetween = 1;
  /** Seconds since `#to` arrived. */
  #elapsed = 0;

  constructor(readonly motion: Motion) {}

  /** Takes the lab's latest state, advances by `seconds`, and returns the state to draw. */
  advance(state: State, { steps, episode }: Pick<ControlStage, "steps" | "episode">, seconds: number): State {
    const isNewEpisode = episode !== this.#episode || steps < this.#steps;
    if (isNewEpisode) this.#from = this.#to = this.#shown = Array.from(state);
    else if (steps > this.#steps) {
      // The motion continues from the drawn position, with the speed of the previous state.
      this.#from = this.#to.slice();
      for (const [index] of this.motion.positions) this.#from[index] = this.#shown[index] as number;
      this.#to = Array.from(state);
      this.#stepsBetween = steps - this.#steps;
      this.#elapsed = 0;
    }
    [this.#steps, this.#episode] = [steps, episode];
    this.#elapsed += seconds;
    return (this.#shown = this.#interpolated(Math.min(1, this.#elapsed / this.motion.secondsShown)));
  }

  /** The state at the fraction `t` of the way from `#from` to `#to`. */
  #interpolated(t: number): number[] {
    const { positions, stepTime, wrappedAngles } = this.motion;
    const [from, to] = [this.#from, this.#to];
    // Speeds are interpolated linearly.
    const result = from.map((value, i) => value + ((to[i] as number) - value) * t);
    const duration = stepTime * this.#stepsBetween;
    for (const [positionIndex, speedIndex] of positions) {
      // The derivatives at both ends, with respect to t.
      const [slope0, slope1] = [(from[speedIndex] as number) * duration, (to[speedIndex] as number) * duration];
      const start = from[positionIndex] as number;
      let distance = (to[positionIndex] as number) - start;
      // An angle between -π and π tells the distance only up to whole turns, and a rod may turn by more than half a
      // turn in a step. The true distance is the one closest to what the mean speed leads to.
      const expected = (slope0 + slope1) / 2;
      if (wrappedAngles.includes(positionIndex)) distance = expected + wrapAngle(distance - expected);
      // The cubic Hermite spline: its value at t for this distance and these derivatives at both ends.
      const [t2, t3] = [t * t, t * t * t];
      const moved = distance * (3 * t2 - 2 * t3) + slope0 * (t3 - 2 * t2 + t) + slope1 * (t3 - t2);
      result[positionIndex] = start + moved;
    }
    return result;
  }
}
