// The interface of the labs' small pictures, on the front and in comparisons, and the colours that they share.

import type { AnyView } from "../../core/run-events";
import type { Settings } from "../../core/values";
import { colour } from "../../core/theme";
import type { Clip, StoredRecording } from "./recording";

/** What a picture is drawn on. Its units are CSS pixels. */
export interface Surface {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  palette: Palette;
}

/** How a lab is drawn in small. `View` is the data that the lab sends to be drawn. */
export interface Picture<View = AnyView> {
  /**
   * What is kept of a view: a frame of a few bytes, from which the picture is drawn. Recordings consist of frames, and
   * an open run is shown by the same ones.
   */
  encode(view: View): Uint8Array;
  /**
   * Fills a frame up to a length without changing what it shows, so that a clip can have frames of several lengths.
   * Without it, or where it returns a frame as it is, frames of another length than the last one are left out.
   */
  fill?: (frame: Uint8Array, length: number) => Uint8Array;
  /** Draws a clip at a position, in frames. Between two frames the picture moves from one to the other. */
  paint(surface: Surface, clip: Clip, position: number): void;
  /** The seconds that the picture of an open run takes from one frame to the next; 0 where every view is one. */
  transitionSeconds: number;
  /** True if the frames of a film are taken at equal times, so that a stage that rests is seen to; else each is a turn. */
  timed?: boolean;
  /** True if the frames are the characters of a text, which the picture shows up to the position. */
  text?: boolean;
  /** What the lab's recording shows, and runs that are like it, for screen readers. */
  words: string;
  /** Whether the lab's recording is like runs with these settings. Without it, it is like all of them. */
  isLike?(settings: Settings): boolean;
  /** Whether runs with these settings can be drawn. Without it, all of them can. */
  draws?(settings: Settings): boolean;
}

/** The exports of a lab's module `picture.ts`. */
export interface SmallPicture<View = AnyView> {
  picture: Picture<View>;
  /** What the front plays; `npm run record` writes it. */
  recording: StoredRecording;
}

const COLOUR_NAMES = [
  "ink",
  "ink-2",
  "ink-3",
  "well",
  "earth",
  "surface",
  "line-strong",
  "learn",
  "better",
  "worse",
  "other-1",
  "serif",
] as const;
const RAMP_NAMES = ["ramp-0", "ramp-1", "ramp-2", "ramp-3"] as const;

/** Colours of the present theme, by their names in palette.css, and the font of texts. */
export type Palette = Record<(typeof COLOUR_NAMES | typeof RAMP_NAMES)[number], string>;

export function readPalette(): Palette {
  return Object.fromEntries([...COLOUR_NAMES, ...RAMP_NAMES].map((name) => [name, colour(`--${name}`)])) as Palette;
}
