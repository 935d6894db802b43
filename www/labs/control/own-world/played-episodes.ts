// Which episodes of a world the visitor has played from the first step to the last, told from what is seen of the world:
// only their scores can stand beside those of the agent.

/** The longest episode of a test and of a race in a world that sets no limit (crates/labs/control/src/own/mod.rs). */
export const MAX_STEPS = 1000;

/** What is seen of a world. */
export interface Seen {
  /** The number of the episode. */
  episode: number;
  steps: number;
  score: number;
  isOver: boolean;
  /** The limit of steps that the text sets. */
  limit: number | null;
  /** Whether the visitor chose the actions of all steps since the world was seen before. */
  isPlayed: boolean;
  /** Tells other rules, such as other values of the parameters. */
  rules: string | number;
}

export class PlayedEpisodes {
  #last: Seen | null = null;
  /** Whether the visitor chose every action of the present episode so far, by the same rules. */
  #isWhole = false;

  /** The episode that is under way does not count. */
  forget(): void {
    this.#last = null;
    this.#isWhole = false;
  }

  /** The score of an episode that has just ended and that the visitor has played as a whole; null for none. */
  next(seen: Seen): number | null {
    const last = this.#last;
    this.#last = seen;
    const isNew = last !== null && last.episode !== seen.episode;
    if (isNew || seen.steps === 0) this.#isWhole = seen.steps === 0 || seen.isPlayed;
    else this.#isWhole &&= seen.rules === last?.rules && (seen.isPlayed || seen.steps === last.steps);
    const hasEnded = seen.isOver && (isNew || !last?.isOver);
    const isOfTest = seen.steps > 0 && seen.steps <= (seen.limit ?? MAX_STEPS);
    return hasEnded && isOfTest && this.#isWhole ? seen.score : null;
  }
}
