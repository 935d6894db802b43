// The logic lab in small: the grid that its circuit computes with hard gates. Cells fade from one step to the next, or
// with several channels change their colours in between.

import { ramp, type Rgb } from "../../core/colour";
import { between } from "../../core/motion";
import type { LogicView } from "../../generated/protocol";
import type { Palette, Picture } from "../../ui/small-picture/picture";
import { frameAt } from "../../ui/small-picture/recording";

export { default as recording } from "./recording.json";

/** Offset of the first cells in a frame, after the width, the height and the number of channels. */
const CELLS_OFFSET = 3;
/** Cells change in this last share of the time between two steps. */
const FADE_FRACTION = 0.45;
/**
 * Colours by combination of active channels: red counts 1, green 2, blue 4 (see cell-colours.ts). No channel and all
 * channels have colours of the theme.
 */
const COMBINATION_COLOURS = ["", "#d2493c", "#3c9c5c", "#dba520", "#3a68c8", "#9a55bd", "#2c9cb0", ""];
/** The shares of the height and of the width that the grid may take up. */
const [MAX_HEIGHT_SHARE, MAX_WIDTH_SHARE] = [0.86, 0.9];
/** Larger cells have a gap of one pixel between them. Smaller ones overlap a little, so that no seams are seen. */
const MAX_CELL_WITHOUT_GAP = 5;
const OVERLAP = 0.5;
/** The steps of brightness from a cell that is off to one that is on. */
const BRIGHTNESS_LEVELS = 32;

export const picture: Picture<LogicView> = {
  /** Width, height, number of channels; then a bit for each cell of each channel, the lowest bit of a byte first. */
  encode({ stage }) {
    const { width, height, shown, hard } = stage;
    const frame = new Uint8Array(CELLS_OFFSET + Math.ceil(hard.length / 8));
    frame.set([width, height, shown]);
    hard.forEach((value, i) => {
      frame[CELLS_OFFSET + (i >> 3)] = (frame[CELLS_OFFSET + (i >> 3)] as number) | (value << (i & 7));
    });
    return frame;
  },
  transitionSeconds: 0.12,
  timed: true,
  words: "a grid of cells that grows into a picture",
  paint({ context, width, height, palette }, clip, position) {
    const [from, to] = [frameAt(clip, position), frameAt(clip, position + 1)];
    const fade = Math.max(0, (position % 1) - 1 + FADE_FRACTION) / FADE_FRACTION;
    const [columns, rows, channels] = from as unknown as [number, number, number];
    const colours = channels === 1 ? oneChannel(palette) : null;
    // Not a whole number of pixels, which would be too coarse for large grids.
    const cell = Math.min((MAX_HEIGHT_SHARE * height) / rows, (MAX_WIDTH_SHARE * width) / columns);
    const [left, top] = [(width - columns * cell) / 2, (height - rows * cell) / 2];
    const side = cell > MAX_CELL_WITHOUT_GAP ? cell - 1 : cell + OVERLAP;
    const nearest = fade < 0.5 ? from : to;
    const count = columns * rows;
    for (let i = 0; i < count; i++) {
      const valueOf = (frame: Uint8Array, channel: number) => bit(frame, channel * count + i);
      if (colours) {
        const level = between(valueOf(from, 0), valueOf(to, 0), fade);
        context.fillStyle = colours[Math.round(level * (BRIGHTNESS_LEVELS - 1))] as string;
      } else {
        const combination = valueOf(nearest, 0) + 2 * valueOf(nearest, 1) + 4 * valueOf(nearest, 2);
        context.fillStyle = COMBINATION_COLOURS[combination] || palette[combination === 0 ? "ramp-0" : "ink"];
      }
      const [x, y] = [left + (i % columns) * cell, top + Math.floor(i / columns) * cell];
      context.fillRect(x, y, side, side);
    }
  },
};

/** The value of a cell: 0 or 1. */
function bit(frame: Uint8Array, index: number): number {
  return ((frame[CELLS_OFFSET + (index >> 3)] as number) >> (index & 7)) & 1;
}

/** The ramp of the palette for which colours were computed last. */
let cached: { palette: Palette; colours: string[] } | null = null;

/** The colours of a single channel, from off to on, in `BRIGHTNESS_LEVELS` steps. */
function oneChannel(palette: Palette): string[] {
  if (cached?.palette !== palette) {
    const stops = [palette["ramp-0"], palette["ramp-1"], palette["ramp-2"], palette["ramp-3"]];
    const text = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;
    cached = { palette, colours: ramp(stops, BRIGHTNESS_LEVELS).map(text) };
  }
  return cached.colours;
}
