// Colour ramps with visually even steps. They are interpolated in the OKLab colour space (Björn Ottosson, 2020), where
// equal steps of lightness look equal, also to most colour-blind people. The matrices below are from its definition.

/** Lightness, green to red, blue to yellow. */
type OkLab = [number, number, number];
/** sRGB, each channel 0 to 255. */
export type Rgb = [number, number, number];

// The transfer function of sRGB, as in its standard, for values from 0 to 1: from stored values to light, and back.
const toLinear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const toGamma = (c: number) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

/**
 * Converts `#rrggbb` to OKLab: linear sRGB, the responses l, m and s of the eye's three kinds of cones, their cube
 * roots.
 */
function toOklab(hex: string): OkLab {
  // A number of 24 bits: eight each for red, green and blue, red highest.
  const n = parseInt(hex.slice(1), 16);
  const [r, g, b] = [n >> 16, (n >> 8) & 255, n & 255].map((c) => toLinear(c / 255)) as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Converts OKLab to sRGB by the inverse steps. Channels out of range are clipped. */
function toRgb([L, a, b]: OkLab): Rgb {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (c: number) => Math.round(255 * Math.min(1, Math.max(0, toGamma(Math.max(0, c)))));
  return [
    channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** `size` colours in even steps through the given stops (`#rrggbb`). */
export function ramp(stops: string[], size: number): Rgb[] {
  const colours = stops.map(toOklab);
  return Array.from({ length: size }, (_, i) => {
    // The position on the ramp, where stop k lies at k. The last colour belongs to the last pair of stops.
    const position = (i / (size - 1)) * (colours.length - 1);
    const k = Math.min(colours.length - 2, Math.floor(position));
    const [from, to] = [colours[k] as OkLab, colours[k + 1] as OkLab];
    const share = position - k;
    return toRgb(from.map((v, c) => v + ((to[c] as number) - v) * share) as OkLab);
  });
}

/** A colour as CSS text. */
export function css([r, g, b]: Rgb, alpha = 1): string {
  return alpha === 1 ? `rgb(${r} ${g} ${b})` : `rgb(${r} ${g} ${b} / ${alpha})`;
}

/** The relative luminance of a colour, as the guidelines for accessible content (WCAG 2) define it: from 0 to 1. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((c) => toLinear(c / 255)) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast ratio of two colours by WCAG 2, from 1 to 21. Text needs 4.5. */
export function contrast(a: Rgb, b: Rgb): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

const [BLACK, WHITE]: [Rgb, Rgb] = [
  [0, 0, 0],
  [255, 255, 255],
];

/** Black or white, whichever can be read better on a colour. On any colour that has a contrast of at least 4.58. */
export function textOn(background: Rgb): Rgb {
  return contrast(BLACK, background) > contrast(WHITE, background) ? BLACK : WHITE;
}
