// The colours of the stickers, in shades that can be told apart with any kind of colour blindness.

import { theme } from "../../core/theme";
import { FACES } from "./space";

const COLOURS: Record<string, string> = {
  U: "#f4f6f2",
  R: "#981130",
  F: "#128d5e",
  D: "#ffd81c",
  L: "#ff8d1c",
  B: "#1d45c2",
};

const NAMES: Record<string, string> = { U: "white", R: "red", F: "green", D: "yellow", L: "orange", B: "blue" };
/** Faces with dark letters; the others have light ones. */
const LIGHT = "UDL";
const INK = "#14181b";
/** The plastic between the stickers, which must differ from the background. */
const PLASTIC = { light: INK, dark: "#343d40" };

const SHADES = 32;
const cache = new Map<string, string>();

/** A colour under a light from 0 to 1; a blank stands for the plastic. */
export function lit(letter: string, light: number): string {
  const shade = Math.round(Math.max(0, Math.min(1, light)) * SHADES);
  const key = `${letter} ${shade} ${theme()}`;
  let found = cache.get(key);
  if (!found) {
    const n = parseInt(plain(letter).slice(1), 16);
    const channels = [n >> 16, (n >> 8) & 255, n & 255].map((c) => Math.round((c * shade) / SHADES));
    cache.set(key, (found = `rgb(${channels.join(" ")})`));
  }
  return found;
}

export function plain(letter: string): string {
  return COLOURS[letter] ?? PLASTIC[theme()];
}

export function inkOn(letter: string): string {
  return LIGHT.includes(letter) ? INK : "#ffffff";
}

/** The colours of all faces in words. */
export function inWords(stickers: string): string {
  const faces = ["up", "right", "front", "down", "left", "back"];
  return [...FACES]
    .map((_, f) => `${faces[f]}: ${[...stickers.slice(4 * f, 4 * f + 4)].map((letter) => NAMES[letter]).join(" ")}`)
    .join("; ");
}
