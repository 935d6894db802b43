// Places a card beside the part of the page that it explains: on a side with room, with an arrow towards that part. All
// lengths are CSS pixels, and positions are measured from the corner of the window.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Place {
  left: number;
  top: number;
  /** The side of the target on which the card lies. */
  side: Side;
  /** Distance of the arrow from the beginning (left or top) of the edge of the card on which it is. */
  arrow: number;
}

export type Side = "right" | "left" | "below" | "above";

/** Space between the target and the card, in which the arrow is drawn. */
const CARD_GAP = 12;
/** Space between the card and the edge of the area. */
const EDGE_MARGIN = 8;
/** The arrow stays this far from the card's corners. */
const CORNER_MARGIN = 16;

/** `value`, at least `low` and at most `high`; `low` if `high` is smaller, as for a card larger than the area. */
const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(Math.max(low, high), value));

/** The area that two boxes have in common, in square pixels. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** What a card should not cover. The places are compared by the sum of the covered areas, each times its weight. */
export interface Spared {
  box: Box;
  weight: number;
}

/**
 * How the card is aligned with the side of its target: with its start (0), its middle (0.5) or its end (1). `before`
 * and `after` let the card extend far beyond the start or the end. The best alignment is first.
 */
const ALIGNMENTS = [0.5, 0, 1, 0.25, 0.75, "before", "after"] as const;
type Alignment = (typeof ALIGNMENTS)[number];

/**
 * The place on one of `sides` that covers least of `spared`. The target itself should be in `spared`, because a card on
 * a side without room covers a part of the target. The first place wins a tie.
 */
export function placeSparing(
  target: Box,
  size: { width: number; height: number },
  area: Box,
  sides: readonly Side[],
  spared: readonly Spared[],
): Place {
  const places = sides.flatMap((side) =>
    ALIGNMENTS.map((alignment) => placeBeside(target, size, area, [side], alignment)),
  );
  const costs = places.map((place) =>
    spared.reduce((sum, { box, weight }) => sum + weight * overlap({ ...place, ...size }, box), 0),
  );
  return places[costs.indexOf(Math.min(...costs))] as Place;
}

/**
 * The place of a card of this size beside a target, inside an area. The first of `sides` with enough room is taken, or
 * else the one with the most; the card then covers a part of the target, but stays in the area.
 */
export function placeBeside(
  target: Box,
  { width, height }: { width: number; height: number },
  area: Box,
  sides: readonly Side[],
  alignment: Alignment = 0.5,
): Place {
  const right = area.left + area.width;
  const bottom = area.top + area.height;
  /** The room that is left on each side after the card has its place; negative if the card does not fit. */
  const room: Record<Side, number> = {
    right: right - (target.left + target.width) - width - CARD_GAP - EDGE_MARGIN,
    left: target.left - area.left - width - CARD_GAP - EDGE_MARGIN,
    below: bottom - (target.top + target.height) - height - CARD_GAP - EDGE_MARGIN,
    above: target.top - area.top - height - CARD_GAP - EDGE_MARGIN,
  };
  const most = sides.reduce((best, side) => (room[side] > room[best] ? side : best), sides[0] ?? "below");
  const side = sides.find((each) => room[each] >= 0) ?? most;
  const [x, y] = [target.left + target.width / 2, target.top + target.height / 2];
  const isHorizontal = side === "right" || side === "left";
  /** Where the card begins along the side. */
  const along = (targetStart: number, targetLength: number, cardLength: number) => {
    // They overlap by twice the corner margin. The arrow is one margin from the card's corner, so it points at the target.
    if (alignment === "before") return targetStart + 2 * CORNER_MARGIN - cardLength;
    if (alignment === "after") return targetStart + targetLength - 2 * CORNER_MARGIN;
    return targetStart + alignment * (targetLength - cardLength);
  };
  const alongX = along(target.left, target.width, width);
  const alongY = along(target.top, target.height, height);
  const wanted = {
    left: {
      right: target.left + target.width + CARD_GAP,
      left: target.left - CARD_GAP - width,
      below: alongX,
      above: alongX,
    }[side],
    top: {
      below: target.top + target.height + CARD_GAP,
      above: target.top - CARD_GAP - height,
      right: alongY,
      left: alongY,
    }[side],
  };
  const left = clamp(wanted.left, area.left + EDGE_MARGIN, right - EDGE_MARGIN - width);
  const top = clamp(wanted.top, area.top + EDGE_MARGIN, bottom - EDGE_MARGIN - height);
  const arrow = isHorizontal
    ? clamp(y - top, CORNER_MARGIN, height - CORNER_MARGIN)
    : clamp(x - left, CORNER_MARGIN, width - CORNER_MARGIN);
  return { left, top, side, arrow };
}
