// The game on the board, as the analysis of a match file uses it. The analysis outlives it when another lab is opened.

import type { BundleChoice } from "../../../core/bundle";
import type { SetUp } from "../set-up/xgid";

/** What the match file needs of the game on the board. */
export interface MatchFileOwner {
  /** The bundle with which this browser computes. */
  bundle: BundleChoice;
  /** Says what is wrong; an empty text ends that. */
  showProblem: (problem: string) => void;
  /** Opens the dialog in which a position is set up. */
  setUp: (setUp: SetUp) => void;
  /** Whether the board is on the screen. In a look back another game has taken its place. */
  isShown: () => boolean;
}

/** The owner whose lab is open; null while another lab is. */
let openOwner: MatchFileOwner | null = null;

/** A board is there from now on. Returns a function that ends this. */
export function boardOpened(owner: MatchFileOwner): () => void {
  openOwner = owner;
  return () => {
    if (openOwner === owner) openOwner = null;
  };
}

/** What the game on the board offers, if its board is on the screen. */
export function boardInSight(): MatchFileOwner | null {
  return openOwner?.isShown() ? openOwner : null;
}
