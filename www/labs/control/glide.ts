// Smooth motion between steps: worlds move in steps of their own, the screen in its own. What is shown is at
// most one step behind, on the curve that fits both places and both speeds.

import type { ControlStage as Stage } from "../../generated/protocol";
import { within, type Motion, type State } from "./worlds/kind";

export class Glide {
  #from: number[] = [];
  #to: number[] = [];
  #shown: number[] = [];
  #steps = 0;
  #episode = -1;
  /** Steps that lie between `from` and `to`, and seconds since `to` was heard of. */
  #apart = 1;
  #elapsed = 0;

  constructor(readonly motion: Motion) {}

  move(state: State, { steps, episode }: Pick<Stage, "steps" | "episode">, seconds: number): State {
    if (episode !== this.#episode || steps < this.#steps) this.#from = this.#to = this.#shown = Array.from(state);
    else if (steps > this.#steps) {
      // It goes on from where it is seen, with the speed it had.
      this.#from = this.#to.slice();
      for (const [place] of this.motion.places) this.#from[place] = this.#shown[place] as number;
      this.#to = Array.from(state);
      this.#apart = steps - this.#steps;
      this.#elapsed = 0;
    }
    [this.#steps, this.#episode] = [steps, episode];
    this.#elapsed += seconds;
    return (this.#shown = this.#between(Math.min(1, this.#elapsed / this.motion.shown)));
  }

  #between(t: number): number[] {
    const { places, lasts, turning } = this.motion;
    const [from, to] = [this.#from, this.#to];
    const shown = from.map((value, i) => value + ((to[i] as number) - value) * t);
    const span = lasts * this.#apart;
    for (const [place, speed] of places) {
      const [v0, v1] = [(from[speed] as number) * span, (to[speed] as number) * span];
      let way = (to[place] as number) - (from[place] as number);
      // A rod may turn by more than half a turn in a step: its speed tells the way it went.
      if (turning.includes(place)) way = (v0 + v1) / 2 + within(way - (v0 + v1) / 2);
      const [t2, t3] = [t * t, t * t * t];
      const eased = way * (3 * t2 - 2 * t3) + v0 * (t3 - 2 * t2 + t) + v1 * (t3 - t2);
      shown[place] = (from[place] as number) + eased;
    }
    return shown;
  }
}
