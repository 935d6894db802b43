// Colours for the cells of a grid. A cell has one or three channels, each with a value from off to on. One channel is
// shown as a colour ramp. Three channels mean red, green and blue, but their combinations are not mixed as light: each
// of the eight combinations of active channels has a colour of its own that suits the page, and values between are
// interpolated.

import { ramp, type Rgb } from "../../core/colour";
import { colour } from "../../core/theme";

/**
 * Colours by combination of active channels, a number of three bits: red counts 1, green 2, blue 4. The first (no
 * channel) and the last (all) come from the palette.
 */
const COMBINATION_COLOURS = ["", "#d2493c", "#3c9c5c", "#dba520", "#3a68c8", "#9a55bd", "#2c9cb0", ""];

/** Names by combination of active channels. */
export const COMBINATION_NAMES = ["nothing", "red", "green", "yellow", "blue", "purple", "cyan", "all"];

/** Colours as hex by combination of active channels, in the present theme. */
export function combinationColours(): string[] {
  return COMBINATION_COLOURS.map((hex, i) => hex || colour(i === 0 ? "--ramp-0" : "--ink"));
}

export class CellColours {
  /** The ramp for one channel, by value. */
  #ramp: Rgb[];
  /** By combination of active channels. */
  #combinations: Rgb[];

  /** Reads the palette of the present theme. */
  constructor() {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    this.#ramp = ramp(stops, 256);
    this.#combinations = combinationColours().map((hex) => ramp([hex, hex], 2)[0] as Rgb);
  }

  /** Paints cells into an image. `values` are 0 to 255, one plane after the other for the `shown` channels (1 or 3). */
  paint(image: ImageData, values: ArrayLike<number>, shown: number): void {
    const { data } = image;
    const cells = image.width * image.height;
    for (let cell = 0; cell < cells; cell++) {
      const pixel = 4 * cell;
      // A pixel has four bytes: red, green, blue and opacity.
      if (shown === 1) {
        const rgb = this.#ramp[Math.round(values[cell] as number)] as Rgb;
        data[pixel] = rgb[0];
        data[pixel + 1] = rgb[1];
        data[pixel + 2] = rgb[2];
      } else {
        const [r, g, b] = [values[cell], values[cells + cell], values[2 * cells + cell]] as Rgb;
        this.#mix(data, pixel, r / 255, g / 255, b / 255);
      }
      data[pixel + 3] = 255;
    }
  }

  /** Interpolates between the eight corners of the colour cube (trilinear). */
  #mix(data: Uint8ClampedArray, pixel: number, r: number, g: number, b: number): void {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let corner = 0; corner < 8; corner++) {
        const share = (corner & 1 ? r : 1 - r) * (corner & 2 ? g : 1 - g) * (corner & 4 ? b : 1 - b);
        sum += share * ((this.#combinations[corner] as Rgb)[c] as number);
      }
      data[pixel + c] = sum;
    }
  }
}
