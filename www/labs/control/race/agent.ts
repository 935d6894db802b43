// The agent's side of a race: an episode on the stage of a second worker, which holds a copy of the open run and does not
// train. It is recorded before the visitor begins, and shown beside the visitor's. Each episode has a copy of its own: the
// stage runs the network on the first state of an episode only when its weights are new to it, as they are after opening.

import { CompareRun } from "../../../core/compare/compare-run";
import { floats } from "../../../core/floats";
import type { Run } from "../../../core/run";
import { savedCheckpoint } from "../../../core/saved-checkpoint";
import type { ControlStage, ControlView } from "../../../generated/protocol";
import type { WorldKind } from "../worlds/world-kind";
import type { Result } from "./rules";

/** An episode of the agent, step by step. */
export interface AgentEpisode extends Result {
  /** The stage at the start and after each step. */
  stages: ControlStage[];
}

/** The purpose of the save that the copy is made of. */
const PURPOSE = "race";

export class RaceAgent {
  /** The unit (training iteration) of the copy; null before there is one. */
  units: number | null = null;
  /** The checkpoint that the copies are opened from; null before the first episode. */
  #bytes: Uint8Array<ArrayBuffer> | null = null;
  /** The copy that plays; null before the first. */
  #copy: CompareRun | null = null;
  #episodes = 0;
  #isClosed = false;

  constructor(
    readonly run: Run,
    readonly kind: WorldKind,
  ) {}

  /** Lets the agent play the next episode. */
  async play(): Promise<AgentEpisode> {
    const copy = await this.#open();
    this.units = copy.position?.units ?? null;
    // An opened stage is in its first episode. Before any training its weights never are new, so it stays in that one.
    const resets = this.units === 0 ? 0 : ++this.#episodes;
    for (let i = 0; i < resets; i++) copy.command({ type: "resetStage" });
    const { timeLimit, motion } = this.kind;
    const first = await this.#stage(copy, 0);
    const stages = [first];
    // A view may come without a step: Pendulum's is 0.05 as f32, slightly more than 0.05, so the first view makes none.
    for (let views = 0; views < 2 * timeLimit && stages.length <= timeLimit; views++) {
      const stage = await this.#stage(copy, motion.secondsShown);
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
    this.#isClosed = true;
    this.#copy?.close();
  }

  async #open(): Promise<CompareRun> {
    const { run } = this;
    const { lab, settings, seed } = run;
    if (!lab) throw new Error("no run is open");
    const bytes = (this.#bytes ??= await savedCheckpoint(run, PURPOSE));
    if (this.#isClosed) throw new Error("the race was ended");
    this.#copy?.close();
    const limits = { goal: false, units: null, seconds: null };
    // The bytes are transferred to the worker, so it gets some of its own.
    const setup = { lab, settings, seed, limits, load: () => Promise.resolve(bytes.slice()) };
    const copy = (this.#copy = new CompareRun(run.cpuBundle, 1, setup));
    await new Promise<void>((resolve, reject) => {
      copy.on("opened", () => resolve());
      void copy.done.then(() => reject(new Error(copy.failure ?? "its copy was closed")));
    });
    return copy;
  }

  #stage(copy: CompareRun, seconds: number): Promise<ControlStage> {
    return new Promise((resolve, reject) => {
      if (!copy.alive) return reject(new Error(copy.failure ?? "the race was ended"));
      const end = copy.on("view", (view) => {
        end();
        resolve((view as ControlView).stage);
      });
      void copy.done.then(() => reject(new Error(copy.failure ?? "the race was ended")));
      copy.requestView(seconds);
    });
  }
}

/** The variables of a stage's state. */
export const stateOf = (stage: ControlStage): number[] => Array.from(floats(stage.state));
