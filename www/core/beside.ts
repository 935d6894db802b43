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
  /** Where the arrow is along the card's edge. */
  arrow: number;
}

export type Side = "right" | "left" | "below" | "above";

/** Space between the target and the card, for the arrow, and between the card and the edge of the area. */
const CARD_GAP = 12;
const EDGE_MARGIN = 8;
/** The arrow stays this far from the card's corners. */
const CORNER_MARGIN = 16;

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(Math.max(low, high), value));

/** Whether two boxes have a part in common. */
export function overlap(a: Box, b: Box): boolean {
  const isBeside = a.left + a.width <= b.left || b.left + b.width <= a.left;
  return !isBeside && a.top + a.height > b.top && b.top + b.height > a.top;
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
  const beside = side === "right" || side === "left";
  const wanted = {
    left: {
      right: target.left + target.width + CARD_GAP,
      left: target.left - CARD_GAP - width,
      below: x - width / 2,
      above: x - width / 2,
    }[side],
    top: {
      below: target.top + target.height + CARD_GAP,
      above: target.top - CARD_GAP - height,
      right: y - height / 2,
      left: y - height / 2,
    }[side],
  };
  const left = clamp(wanted.left, area.left + EDGE_MARGIN, right - EDGE_MARGIN - width);
  const top = clamp(wanted.top, area.top + EDGE_MARGIN, bottom - EDGE_MARGIN - height);
  const arrow = beside
    ? clamp(y - top, CORNER_MARGIN, height - CORNER_MARGIN)
    : clamp(x - left, CORNER_MARGIN, width - CORNER_MARGIN);
  return { left, top, side, arrow };
}
