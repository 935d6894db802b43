// One side of a race in a world of the visitor's own: the stage of a copy of the open run. Both sides have such a copy,
// in the same episode, so they begin in the same state and each step draws the same random numbers. On the visitor's
// side the visitor's actions replace the agent's.

import type { StageCopy } from "../../../core/compare/stage-copy";
import { floats } from "../../../core/floats";
import { formatCount, formatNumber } from "../../../core/format";
import type { ControlOwnWorld, ControlStage, ControlView } from "../../../generated/protocol";
import type { FlatPicture } from "../own-world/messages";
import { STEPS_WITHOUT_LIMIT } from "../own-world/played-episodes";

/** A view that animates the stage for this long has one step at most: no step on the stage is shorter. */
const ONE_STEP_SECONDS = 1 / 240;
/** The longest animation of one view, and the most steps that it can have. */
const VIEW_SECONDS = 0.25;
const VIEW_STEPS = 60;
/** A stage that does not step within this many views stands still. */
const MAX_IDLE_VIEWS = 500;

type Stage = Pick<StageCopy, "units" | "open" | "command" | "view" | "close">;

export class OwnSide {
  /** The stage and its world in the last view; null before the first episode. */
  stage: ControlStage | null = null;
  own: ControlOwnWorld | null = null;
  isOver = false;
  /** Whether the episode was seen to its end, so that its score is complete. */
  isComplete = false;
  #copy: Stage;
  #episode = 0;

  constructor(copy: Stage) {
    this.#copy = copy;
  }

  /** The unit (training iteration) of the agent; null before its first episode. */
  get units(): number | null {
    return this.#copy.units;
  }

  /** Opens a copy. */
  open(): Promise<void> {
    return this.#copy.open();
  }

  /** Begins an episode: the one after `resets` others. */
  async begin(resets: number): Promise<void> {
    for (let i = 0; i < resets; i++) this.act({ type: "resetStage" });
    const { stage, own } = (await this.#copy.view(0)) as ControlView;
    if (!own) throw new Error("the run has no world of your own");
    if (stage.over) throw new Error(own.fault ?? "the episode ends as it begins");
    [this.stage, this.own, this.#episode] = [stage, own, stage.episode];
    this.isOver = this.isComplete = false;
  }

  act(command: { type: "resetStage" } | { type: "act"; numbers: number[] }): void {
    this.#copy.command(command);
  }

  /** The most steps of an episode. */
  get limit(): number {
    return this.own?.limit ?? STEPS_WITHOUT_LIMIT;
  }

  get picture(): FlatPicture {
    const { own } = this;
    return own
      ? { numbers: floats(own.shapes) as Float32Array<ArrayBuffer>, texts: own.texts }
      : { numbers: new Float32Array(), texts: [] };
  }

  /** Lets these seconds pass, unless the episode is over. */
  async advance(seconds: number): Promise<void> {
    if (this.isOver) return;
    // At the limit of a world's text the stage itself ends the episode. At ours it would go on within a view.
    const isNear = this.own?.limit === null && (this.stage?.steps ?? 0) + VIEW_STEPS >= this.limit;
    const length = isNear ? Math.min(seconds, ONE_STEP_SECONDS) : seconds;
    const { stage, own } = (await this.#copy.view(length)) as ControlView;
    // A view that came late shows the next episode; then the last state that was seen is the end of this one.
    if (stage.episode === this.#episode && own) [this.stage, this.own] = [stage, own];
    const isSame = stage.episode === this.#episode;
    this.isComplete = isSame && (stage.over || stage.steps >= this.limit);
    this.isOver = !isSame || this.isComplete;
  }

  /** Plays the episode to its end, faster than in real time. */
  async finish(): Promise<void> {
    for (let idle = 0; !this.isOver && idle < MAX_IDLE_VIEWS;) {
      const before = this.stage?.steps ?? 0;
      await this.advance(VIEW_SECONDS);
      idle = (this.stage?.steps ?? 0) > before ? 0 : idle + 1;
    }
    this.isOver = true;
  }

  close(): void {
    this.#copy.close();
  }
}

/** Significant digits of a score. */
const SCORE_DIGITS = 4;

type Score = Pick<ControlStage, "score" | "steps"> | null;

/** Who has won, with both scores. */
export function verdict(you: Score, agent: Score): string {
  const [yours, its] = [you?.score ?? 0, agent?.score ?? 0];
  const text = (score: number) => formatNumber(score, SCORE_DIGITS);
  // What is printed alike is a draw.
  const who = text(yours) === text(its) ? "A draw." : yours > its ? "You win." : "The agent wins.";
  const words = (side: Score) => `${text(side?.score ?? 0)} in ${formatCount(side?.steps ?? 0, "step")}`;
  return `${who} You: ${words(you)}. The agent: ${words(agent)}.`;
}
