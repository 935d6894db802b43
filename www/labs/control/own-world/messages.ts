// The messages between the editor for worlds and its worker (world-worker.ts). Each request is answered once, by an
// answer of the same number.

import type { CheckedWorld, Episode } from "../../../generated/protocol";

/** A picture of the world as flat lists; `Picture` in crates/web/src/own_world/picture.rs describes them. */
export interface FlatPicture {
  numbers: Float32Array<ArrayBuffer>;
  texts: string[];
}

/** The live world at one time. Both are empty before there was a world. */
export interface Moment {
  episode: Episode | null;
  picture: FlatPicture;
}

export type WorldRequest =
  /**
   * Check a text; if it is a world, it becomes the live one. With a seed it is another world than the one before, and
   * begins anew.
   */
  | { type: "text"; text: string; seed: number | null }
  /** Take so many steps with the same action, or fewer if the episode ends. */
  | { type: "advance"; steps: number; action: number[] }
  | { type: "parameter"; index: number; value: number }
  | { type: "next" };

/** The answer to a request. `checked` comes with the answer to a text. */
export interface WorldAnswer {
  moment: Moment;
  checked?: CheckedWorld;
}

export type ToWorldWorker = WorldRequest & { id: number };
export type FromWorldWorker =
  { type: "ready" } | ({ type: "answer"; id: number } & WorldAnswer) | { type: "failed"; message: string };
