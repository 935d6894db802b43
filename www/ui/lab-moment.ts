// What a link carries of a lab beside the run (core/moment-link.ts): `labs/<lab>/moment.ts`, loaded when such a link is
// made or opened.

import type { MomentClip } from "../core/moment-link";
import type { AnyView } from "../core/run-events";
import type { Settings } from "../core/values";
import type { Picture } from "./small-picture/picture";

/** The exports of a lab's module `moment.ts`. */
export interface LabMomentModule<View = AnyView> {
  moment: LabMoment<View>;
}

export interface LabMoment<View = AnyView> {
  /** Frames per second that are kept of the stage, and how many of them. */
  rate: number;
  frames: number;
  /** True where frames are turns and not times: then a frame is kept only if it differs from the last. */
  turns?: boolean;
  /** Whether the stage has come to something worth a picture; until then it goes on for some seconds. */
  isReady?: (view: View) => boolean;
  /** Whether the picture can draw these frames, which may come from anywhere. */
  isDrawable: (clip: MomentClip) => boolean;
  /**
   * How frames of a moment are made and drawn, if not by the lab's small picture alone. `isDrawable` and `words` are of
   * these frames.
   */
  picture?: (small: Picture<View>) => Picture<View>;
  /** What a frame shows, for screen readers, if not what the lab's recording shows. */
  words?: (frame: Uint8Array) => string;
  /** What the stage shows, as a link's `show=` (see `LabView.show`); null for nothing. */
  shown?: (view: View) => string | null;
  /** What that is, in the share dialog. */
  shownWords?: string;
  /** A copy of the agent that is short enough for a link. */
  copy?: AgentCopy<View>;
}

/** Why an agent cannot be copied, as the end of a sentence after “because”. */
export interface NoCopy {
  because: string;
}

/** The checkpoint of a run has not what its copy is made from. */
export const UNREADABLE: NoCopy = { because: "its checkpoint cannot be read" };

/** How a run comes to what of a copied agent follows from its seed. */
export interface CopyBeginning {
  /** In the place of those of the link: live ones, on which no picture of the run depends. */
  settings: Settings;
  /** The units that it trains. */
  units: number;
}

/** How an agent travels in a link beside the run that learned it. */
export interface AgentCopy<View = AnyView> {
  /** What the copy is: `sign` stands on the picture that shows it, `words` in sentences about it. */
  sign: string;
  words: string;
  /** What is not done with it, as a sentence for the line above its picture; empty if nothing need be said. */
  remark: string;
  /** What the copy is made from, or why this agent cannot be copied. `checkpoint` is the run at the moment. */
  pack: (view: View, checkpoint: Uint8Array) => Uint8Array<ArrayBuffer> | NoCopy;
  /** A copy that takes less room and is less exact, for links in which the other one has no room, and what it is. */
  shorter?: Pick<AgentCopy<View>, "pack" | "words">;
  /** How the run begins that gets the agent; null or absent if it begins as the run of the link. */
  begins?: (packed: Uint8Array) => CopyBeginning | null;
  /**
   * A checkpoint with the copied agent. `fresh` is the checkpoint of a run with the same settings and seed that has
   * just begun, as `begins` says. Null if the copy does not fit it.
   */
  unpack: (packed: Uint8Array, fresh: Uint8Array) => Uint8Array<ArrayBuffer> | null;
  /** Whether a view shows this agent, as far as it can be seen there. */
  isShown?: (view: View, packed: Uint8Array) => boolean;
}
