// Smooths the motion on the stage. The lab sends a state per step; the drawing moves between the last two along a cubic
// Hermite spline through positions and speeds. The picture is therefore at most one step behind.

import type { ControlStage } from "../../generated/protocol";
import { wrapAngle, type Motion, type State } from "./worlds/world-kind";

export class StateInterpolator {
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
    const newEpisode = episode !== this.#episode || steps < this.#steps;
    if (newEpisode) this.#from = this.#to = this.#shown = Array.from(state);
    else if (steps > this.#steps) {
      // The motion continues from the drawn position, with the speed of the previous state.
      this.#from = this.#to.slice();
      for (const [position] of this.motion.positions) this.#from[position] = this.#shown[position] as number;
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
    for (const [position, speed] of positions) {
      // The derivatives at both ends, with respect to t.
      const [slope0, slope1] = [(from[speed] as number) * duration, (to[speed] as number) * duration];
      let distance = (to[position] as number) - (from[position] as number);
      // An angle may change by more than half a turn in a step. Of the equivalent distances, the one closest to the
      // mean speed is the true one.
      const expected = (slope0 + slope1) / 2;
      if (wrappedAngles.includes(position)) distance = expected + wrapAngle(distance - expected);
      const [t2, t3] = [t * t, t * t * t];
      const moved = distance * (3 * t2 - 2 * t3) + slope0 * (t3 - 2 * t2 + t) + slope1 * (t3 - t2);
      result[position] = (from[position] as number) + moved;
    }
    return result;
  }
}
