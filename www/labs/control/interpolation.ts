// Interpolates the state of the stage between two steps with a cubic Hermite spline through positions and speeds. The
// picture is at most one step behind.

import type { ControlStage } from "../../generated/protocol";
import { wrapAngle, type Motion, type State } from "./worlds/world-kind";

export class StateInterpolator {
  #from: number[] = [];
  #to: number[] = [];
  #shown: number[] = [];
  #steps = 0;
  #episode = -1;
  /** Steps between `from` and `to`, and seconds since `to` arrived. */
  #apart = 1;
  #elapsed = 0;

  constructor(readonly motion: Motion) {}

  move(state: State, { steps, episode }: Pick<ControlStage, "steps" | "episode">, seconds: number): State {
    if (episode !== this.#episode || steps < this.#steps) this.#from = this.#to = this.#shown = Array.from(state);
    else if (steps > this.#steps) {
      // Continues from where it is drawn now, with the speed it had.
      this.#from = this.#to.slice();
      for (const [place] of this.motion.places) this.#from[place] = this.#shown[place] as number;
      this.#to = Array.from(state);
      this.#apart = steps - this.#steps;
      this.#elapsed = 0;
    }
    [this.#steps, this.#episode] = [steps, episode];
    this.#elapsed += seconds;
    return (this.#shown = this.#between(Math.min(1, this.#elapsed / this.motion.secondsShown)));
  }

  #between(t: number): number[] {
    const { places, stepTime: lasts, angles: turning } = this.motion;
    const [from, to] = [this.#from, this.#to];
    const shown = from.map((value, i) => value + ((to[i] as number) - value) * t);
    const span = lasts * this.#apart;
    for (const [place, speed] of places) {
      const [v0, v1] = [(from[speed] as number) * span, (to[speed] as number) * span];
      let way = (to[place] as number) - (from[place] as number);
      // An angle may change by more than half a turn in a step. Its speed tells which way it went.
      if (turning.includes(place)) way = (v0 + v1) / 2 + wrapAngle(way - (v0 + v1) / 2);
      const [t2, t3] = [t * t, t * t * t];
      const eased = way * (3 * t2 - 2 * t3) + v0 * (t3 - 2 * t2 + t) + v1 * (t3 - t2);
      shown[place] = (from[place] as number) + eased;
    }
    return shown;
  }
}
