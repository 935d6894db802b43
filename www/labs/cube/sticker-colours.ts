// The colours of the stickers as they are drawn: shaded by the light, and with letters that stand out.

import { theme } from "../../core/theme";
import { COLOURS } from "./colours";

/** Colours so light that they need dark letters. */
const LIGHT_COLOURS = "UDL";
const [DARK, WHITE] = ["#14181b", "#ffffff"];
/** Stands for the plastic between the stickers where a letter of a colour is expected. */
export const PLASTIC = " ";
/** The colours of the plastic by theme. They must differ from the page's background. */
const PLASTIC_COLOURS = { light: DARK, dark: "#343d40" };

/** Brightness is rounded to this many levels, so that few colours have to be computed. */
const SHADES = 32;
/** The colours that have been computed, by letter, level and theme. */
const cache = new Map<string, string>();

/** The colour of a letter at a brightness from 0 to 1. */
export function shadedColour(letter: string, brightness: number): string {
  const shade = Math.round(Math.max(0, Math.min(1, brightness)) * SHADES);
  const key = `${letter} ${shade} ${theme()}`;
  let colour = cache.get(key);
  if (!colour) {
    const rgb = parseInt(flatColour(letter).slice(1), 16);
    const channels = [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((c) => Math.round((c * shade) / SHADES));
    cache.set(key, (colour = `rgb(${channels.join(" ")})`));
  }
  return colour;
}

/** The colour of a letter without shading, as a hex code. */
export function flatColour(letter: string): string {
  return COLOURS[letter]?.hex ?? PLASTIC_COLOURS[theme()];
}

/** The colour of the letter written on a sticker. */
export function letterColour(letter: string): string {
  return LIGHT_COLOURS.includes(letter) ? DARK : WHITE;
}
