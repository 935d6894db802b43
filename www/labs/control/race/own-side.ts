// One side of a race in a world of the visitor's own: the stage of a copy of the open run. Both sides have such a copy,
// in the same episode, so they begin in the same state and each step draws the same random numbers. On the visitor's
// side the visitor's actions replace the agent's.

import type { StageCopy } from "../../../core/compare/stage-copy";
import { floats } from "../../../core/floats";
import { formatCount, formatNumber } from "../../../core/format";
import type { ControlOwnWorld, ControlStage, ControlView } from "../../../generated/protocol";
import type { FlatPicture } from "../own-world/messages";
import { STEPS_WITHOUT_LIMIT } from "../own-world/played-episodes";

/** The shortest time for which the stage shows a step (`STEP_SECONDS` in crates/labs/control/src/own/stage.rs). */
const MIN_STEP_SECONDS = 1 / 240;
/** The longest time that passes on the stage in one view, and the most steps in it. */
const MAX_VIEW_SECONDS = 0.25;
const MAX_VIEW_STEPS = MAX_VIEW_SECONDS / MIN_STEP_SECONDS;
/** A stage that does not step within this many views of that length stands still, and is not waited for. */
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

  /** How many units (training iterations) the agent has done; null before the copy is opened. */
  get units(): number | null {
    return this.#copy.units;
  }

  /** Opens the copy, or opens it anew: its stage is then at its first episode. */
  open(): Promise<void> {
    return this.#copy.open();
  }

  /** Begins the episode after `resets` others. Both sides do that, so that they play the same one. */
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

  /** Lets these seconds pass, but at most `MAX_VIEW_SECONDS`, unless the episode is over. */
  async advance(seconds: number): Promise<void> {
    if (this.isOver) return;
    // A text with a limit ends its episodes itself. Without one, `limit` is ours, and the stage would go beyond it
    // within a view. So near our limit a view has one step at most.
    const isNear = this.own?.limit === null && (this.stage?.steps ?? 0) + MAX_VIEW_STEPS >= this.limit;
    const length = Math.min(seconds, isNear ? MIN_STEP_SECONDS : MAX_VIEW_SECONDS);
    const { stage, own } = (await this.#copy.view(length)) as ControlView;
    // The stage begins the next episode by itself. If a view shows that one already, the end of this one was not seen,
    // and the last state that was seen stays.
    if (stage.episode === this.#episode && own) [this.stage, this.own] = [stage, own];
    const isSame = stage.episode === this.#episode;
    this.isComplete = isSame && (stage.over || stage.steps >= this.limit);
    this.isOver = !isSame || this.isComplete;
  }

  /** Plays the episode to its end, faster than in real time. */
  async finish(): Promise<void> {
    for (let idle = 0; !this.isOver && idle < MAX_IDLE_VIEWS;) {
      const before = this.stage?.steps ?? 0;
      await this.advance(MAX_VIEW_SECONDS);
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
