// Where the labels of a chart's levels (its goal, the visitor's best score, and what chance alone reaches) stand: in their
// lines, or, where two lines are near each other, above one and below the other; at an edge, below each other. All
// choices of places are tried, and the one with the smallest sum of costs is taken. Heights grow downwards, all of them
// in CSS pixels or all in those of the bitmap.

/** Lines closer than this are near each other. This, the next two and `shift` are multiples of the font size. */
const HEIGHT = 1.5;
/** How far a label reaches above its baseline and below it. */
const ASCENT = 1;
const DESCENT = 0.28;

/** A place for a label. */
interface Place {
  /** How far its baseline lies below its line. */
  shift: number;
  /** On which side of its line it stands: -1 above, 0 in the line, 1 below. */
  side: -1 | 0 | 1;
  cost: number;
}

const IN_LINE: Place = { shift: 0.36, side: 0, cost: 0 };
/** Right beside the line, and where another label has its place in between. */
const BESIDE: Place[] = [
  { shift: -0.4, side: -1, cost: 1 },
  { shift: 1.4, side: 1, cost: 1 },
  { shift: -2.4, side: -1, cost: 4 },
  { shift: 3.4, side: 1, cost: 4 },
];
/** With null, the label is left out. */
const PLACES: (Place | null)[] = [IN_LINE, ...BESIDE, null];

// Further costs.
/** A label in its line where another line is near. */
const CROWDED = 2;
/** A label between its line and another one that is near. */
const BETWEEN = 1;
/** A label with the line of one that is left out through it. */
const CROSSED = 10;
/** A label that is left out: the least important one; each other one costs more than all after it together. */
const LEFT_OUT = 100;

/**
 * The baselines of labels, in the order of their lines `ys`, the more important first; null for one that is left out.
 * `top` and `bottom` are the edges that labels may not cross, unless they stand in their lines far from others.
 */
export function labelBaselines(ys: number[], fontSize: number, top: number, bottom: number): (number | null)[] {
  const baseline = (i: number, { shift }: Place) => (ys[i] ?? 0) + shift * fontSize;
  /** The upper and the lower edge of a label. */
  const box = (i: number, place: Place): [number, number] => {
    const base = baseline(i, place);
    return [base - ASCENT * fontSize, base + DESCENT * fontSize];
  };
  /** The cost of a label's place, given those of all; Infinity if it cannot stand there. */
  const costOf = (i: number, places: (Place | null)[]): number => {
    const place = places[i];
    if (!place) return LEFT_OUT * 2 ** (ys.length - 1 - i);
    const y = ys[i] ?? 0;
    const [upper, lower] = box(i, place);
    let { cost } = place;
    let mayCrossEdge = place.side === 0;
    for (const [j, other] of ys.entries()) {
      if (j === i) continue;
      const neighbour = places[j];
      const isCrossed = other > upper && other < lower;
      if (!neighbour) {
        if (isCrossed) cost += CROSSED;
        continue;
      }
      const [otherUpper, otherLower] = box(j, neighbour);
      if (isCrossed || (upper < otherLower && lower > otherUpper)) return Infinity;
      if (Math.abs(y - other) >= HEIGHT * fontSize) continue;
      mayCrossEdge = false;
      if (place.side === 0) cost += CROWDED;
      else if (Math.sign(other - y) === place.side) cost += BETWEEN;
    }
    return mayCrossEdge || (upper >= top && baseline(i, place) <= bottom) ? cost : Infinity;
  };
  let best: (Place | null)[] = [];
  let least = Infinity;
  const choose = (places: (Place | null)[]) => {
    if (places.length < ys.length) return PLACES.forEach((place) => choose([...places, place]));
    const cost = places.reduce((sum, _, i) => sum + costOf(i, places), 0);
    if (cost < least) [best, least] = [places, cost];
  };
  choose([]);
  return best.map((place, i) => place && baseline(i, place));
}
