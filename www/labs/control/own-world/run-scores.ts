// The visitor's scores in a run that learns a world of the visitor's own: which world that is, and the episodes that the
// visitor plays in the world on the stage.

import type { Run } from "../../../core/run";
import type { ControlView } from "../../../generated/protocol";
import { noteOwnScore, scoreKey, showOwnScore } from "./note-score";
import { learnedWorld, type WorldCommand } from "./learned-world";
import { PlayedEpisodes } from "./played-episodes";

export class RunScores {
  /** The world that the run learns; null until it is found out. */
  #world: WorldCommand | null = null;
  /** Counts the searches for the world; the answer to an earlier one is dropped. */
  #searches = 0;
  #played = new PlayedEpisodes();
  #unsubscribes: (() => void)[];

  constructor(readonly run: Run) {
    this.#unsubscribes = [
      run.on("configured", () => void this.#findWorld()),
      // Views that are not drawn count too: the world has taken its steps for each view.
      run.on("view", (view) => this.#see(view as ControlView)),
    ];
  }

  /** A run was opened. */
  begin(): void {
    this.#played.forget();
    showOwnScore(null);
    void this.#findWorld();
  }

  destroy(): void {
    this.#searches++;
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    showOwnScore(null);
  }

  async #findWorld(): Promise<void> {
    const search = ++this.#searches;
    this.#world = null; // until the world is known, no score may count for the one before
    const world = await learnedWorld(this.run);
    if (search !== this.#searches) return;
    this.#world = world;
    showOwnScore(world && scoreKey(world));
  }

  #see({ own, stage: { episode, steps, score, over } }: ControlView): void {
    if (!own) return;
    const { limit, isPlayed, version } = own;
    const finished = this.#played.next({ episode, steps, score, isOver: over, limit, isPlayed, rules: version });
    if (finished !== null && this.#world) noteOwnScore(this.#world, finished);
  }
}
