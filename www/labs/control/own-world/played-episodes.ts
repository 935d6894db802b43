// Which episodes of a world the visitor has played from the first step to the last, told from what is seen of the world:
// only their scores can stand beside those of the agent.

/** The longest episode of a test and of a race in a world that sets no limit: `EVALUATION_STEPS` of the lab's `own`. */
export const STEPS_WITHOUT_LIMIT = 1000;

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
  /** Differs whenever the rules do, also by the value of a parameter. */
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
    // A new episode began since the world was seen before, so `isPlayed` is about all its steps.
    const isNew = last !== null && last.episode !== seen.episode;
    if (isNew || seen.steps === 0) this.#isWhole = seen.steps === 0 || seen.isPlayed;
    else this.#isWhole &&= seen.rules === last?.rules && (seen.isPlayed || seen.steps === last.steps);
    const hasEnded = seen.isOver && (isNew || !last?.isOver);
    const fitsTest = seen.steps > 0 && seen.steps <= (seen.limit ?? STEPS_WITHOUT_LIMIT);
    return hasEnded && fitsTest && this.#isWhole ? seen.score : null;
  }
}
