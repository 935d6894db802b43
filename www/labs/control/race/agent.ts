// The agent's side of a race: an episode on the stage of a second worker, which holds a copy of the open run and does
// not train. It is recorded before the visitor begins, and shown beside the visitor's. Each episode has a copy of its
// own, whose stage has no time left over from the steps of an episode before.

import { StageCopy } from "../../../core/compare/stage-copy";
import { floats } from "../../../core/floats";
import type { Run } from "../../../core/run";
import type { ControlStage, ControlView } from "../../../generated/protocol";
import type { WorldKind } from "../worlds/world-kind";
import type { Result } from "./rules";

/** An episode of the agent, step by step. */
export interface AgentEpisode extends Result {
  /** The stage at the start and after each step. */
  stages: ControlStage[];
}

export class RaceAgent {
  #copy: StageCopy;
  #episodes = 0;

  constructor(
    run: Run,
    readonly kind: WorldKind,
  ) {
    this.#copy = new StageCopy(run);
  }

  /** The unit (training iteration) of the agent; null before its first episode. */
  get units(): number | null {
    return this.#copy.units;
  }

  /** Lets the agent play the next episode. */
  async play(): Promise<AgentEpisode> {
    const copy = this.#copy;
    await copy.open();
    // An opened stage is in its first episode. Each race has another one.
    this.#episodes++;
    for (let i = 0; i < this.#episodes; i++) copy.command({ type: "resetStage" });
    const { timeLimit, motion } = this.kind;
    const first = await this.#stage(0);
    const stages = [first];
    // A view may come without a step. A step of Pendulum lasts 0.05 s as a 32-bit float, which is slightly more than
    // the 0.05 s of a view, so the first view has none.
    for (let views = 0; views < 2 * timeLimit && stages.length <= timeLimit; views++) {
      const stage = await this.#stage(motion.secondsShown);
      const last = stages.at(-1) ?? first;
      // The stage of a world with a goal begins anew at its limit, so its last step is not seen.
      if (stage.episode !== first.episode)
        return { stages, steps: timeLimit, score: last.score - (timeLimit - last.steps), terminated: false };
      if (stage.steps > last.steps) stages.push(stage);
      if (stage.over) break;
    }
    const { steps, score, over: terminated } = stages.at(-1) ?? first;
    return { stages, steps, score, terminated };
  }

  close(): void {
    this.#copy.close();
  }

  async #stage(seconds: number): Promise<ControlStage> {
    return ((await this.#copy.view(seconds)) as ControlView).stage;
  }
}

/** The variables of a stage's state. */
export const stateOf = (stage: ControlStage): number[] => Array.from(floats(stage.state));
