// The interface of the front's small pictures, and the colours that they share.

import { colour } from "../../core/theme";
import type { Clip } from "./recording";

/** What a picture is drawn on. Its units are CSS pixels. */
export interface Surface {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  palette: Palette;
}

/** How the front draws a lab. */
export interface Picture {
  /** Draws a clip at a position, in frames. Between two frames the picture moves from one to the other. */
  paint(surface: Surface, clip: Clip, position: number): void;
  /** The seconds that the picture of an open run takes from one frame to the next; 0 where every view is one. */
  transitionSeconds: number;
  /** True if the frames are the characters of a text, which the picture shows up to the position. */
  text?: boolean;
  /** What a recording shows, for screen readers. */
  words: string;
}

const NAMES = ["ink", "ink-2", "ink-3", "well", "earth", "surface", "line-strong", "learn", "worse", "serif"] as const;
const RAMP = ["ramp-0", "ramp-1", "ramp-2", "ramp-3"] as const;

/** Colours of the present theme, by their names in palette.css, and the font of texts. */
export type Palette = Record<(typeof NAMES | typeof RAMP)[number], string>;

export function readPalette(): Palette {
  return Object.fromEntries([...NAMES, ...RAMP].map((name) => [name, colour(`--${name}`)])) as Palette;
}

/** The value between `a` and `b` at a fraction from 0 to 1. */
export const between = (a: number, b: number, fraction: number) => a + (b - a) * fraction;
