// Where the labels of a chart's levels (its goal, and what chance alone reaches) stand: in their lines, or, where two
// lines are near each other, one above and one below. All lengths are in pixels of one kind, downwards.

/** Height of a label as a multiple of its font size, with room around it. */
const HEIGHT = 1.5;
/** A label's baseline lies this far below its line, which goes through its middle; as a multiple of the font size. */
const BELOW = 0.36;
/** A label above its line, or below, has this gap to it; as a multiple of the font size. */
const GAP = 0.4;

/**
 * The baselines of labels, in the order of their lines `ys`, the more important first; null for one that is left out.
 * `top` and `bottom` are the edges that labels may not cross when they stand beside their lines.
 */
export function labelBaselines(ys: number[], fontSize: number, top: number, bottom: number): (number | null)[] {
  const inLine = ys.map((y) => y + BELOW * fontSize);
  const [first, second] = ys;
  if (first === undefined || second === undefined || Math.abs(first - second) >= HEIGHT * fontSize) return inLine;
  const above = (y: number) => y - GAP * fontSize;
  const below = (y: number) => y + (1 + GAP) * fontSize;
  const apart = first <= second ? [above(first), below(second)] : [below(first), above(second)];
  const fits = Math.min(...apart) - fontSize >= top && Math.max(...apart) <= bottom;
  return fits ? apart : [inLine[0] ?? null, null];
}
