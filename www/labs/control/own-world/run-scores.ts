// The visitor's scores in a run that learns a world of the visitor's own: which world that is, and the episodes that the
// visitor plays in the large world.

import type { Run } from "../../../core/run";
import type { ControlView } from "../../../generated/protocol";
import { noteOwnScore, scoreKey, showOwnScore } from "./note-score";
import { learnedWorld, type WorldCommand } from "./learned-world";
import { PlayedEpisodes } from "./played-episodes";

export class RunScores {
  /** The world that the run learns; null until it is found out. */
  #world: WorldCommand | null = null;
  /** Counts the changes of the world, because it is found out later. */
  #changes = 0;
  #played = new PlayedEpisodes();
  #unsubscribes: (() => void)[];

  constructor(readonly run: Run) {
    this.#unsubscribes = [
      run.on("configured", () => void this.#findWorld()),
      // Every view, also one that is not drawn: the stage has gone on for it.
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
    this.#changes++;
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    showOwnScore(null);
  }

  async #findWorld(): Promise<void> {
    const change = ++this.#changes;
    this.#world = null; // meanwhile a score would be noted for the world before
    const world = await learnedWorld(this.run);
    if (change !== this.#changes) return;
    this.#world = world;
    showOwnScore(world && scoreKey(world));
  }

  #see({ own, stage: { episode, steps, score, over } }: ControlView): void {
    if (!own) return;
    const { limit, isPlayed, version } = own;
    const whole = this.#played.next({ episode, steps, score, isOver: over, limit, isPlayed, rules: version });
    if (whole !== null && this.#world) noteOwnScore(this.#world, whole);
  }
}
