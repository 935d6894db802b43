// The colours of cells. One channel is a ramp. Three channels are red, green and blue, whose mixtures have colours of
// the page, so that a letter suits the light and the dark theme.

import { ramp, type Rgb } from "../../core/colour";
import { colour } from "../../core/theme";

/** Colours by lit channels: red counts 1, green 2, blue 4. None and all use the palette. */
const LIT = ["", "#d2493c", "#3c9c5c", "#dba520", "#3a68c8", "#9a55bd", "#2c9cb0", ""];

export const CHANNEL_NAMES = ["nothing", "red", "green", "yellow", "blue", "purple", "cyan", "all"];

/** The colours as hex, by lit channels. */
export function channelColours(): string[] {
  return LIT.map((hex, i) => hex || colour(i === 0 ? "--ramp-0" : "--ink"));
}

export class CellColours {
  #one: Rgb[];
  #lit: Rgb[];

  /** Reads the palette of the present theme. */
  constructor() {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    this.#one = ramp(stops, 256);
    this.#lit = channelColours().map((hex) => ramp([hex, hex], 2)[0] as Rgb);
  }

  /** Paints cells into an image. `values` are 0 to 255, one plane for each of the `shown` channels. */
  paint(image: ImageData, values: ArrayLike<number>, shown: number): void {
    const { data } = image;
    const cells = image.width * image.height;
    for (let cell = 0, at = 0; cell < cells; cell++, at += 4) {
      if (shown === 1) {
        const rgb = this.#one[Math.round(values[cell] as number)] as Rgb;
        data[at] = rgb[0];
        data[at + 1] = rgb[1];
        data[at + 2] = rgb[2];
      } else {
        const [r, g, b] = [values[cell], values[cells + cell], values[2 * cells + cell]] as Rgb;
        this.#mix(data, at, r / 255, g / 255, b / 255);
      }
      data[at + 3] = 255;
    }
  }

  /** Interpolates between the eight corners of the colour cube (trilinear). */
  #mix(data: Uint8ClampedArray, at: number, r: number, g: number, b: number): void {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let corner = 0; corner < 8; corner++) {
        const share = (corner & 1 ? r : 1 - r) * (corner & 2 ? g : 1 - g) * (corner & 4 ? b : 1 - b);
        sum += share * ((this.#lit[corner] as Rgb)[c] as number);
      }
      data[at + c] = sum;
    }
  }
}
