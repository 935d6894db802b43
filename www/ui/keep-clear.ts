// Keeps the picture of a lab clear of the dock and of what lies on it: what makes the dock higher scrolls the page by as
// much of the picture as it would cover. In a wide window the dock has room for everything, and nothing moves.

/**
 * By how many pixels the page has to scroll so that a picture is no more covered than before, when the upper edge of
 * what lies at the end of the window has moved from `before` to `after`.
 */
export function newlyCovered(picture: { top: number; bottom: number }, before: number, after: number): number {
  const isInSight = picture.top < before && picture.bottom > 0;
  return isInSight ? Math.max(0, Math.min(picture.bottom, before) - after) : 0;
}

/** Calls `change`, which may make the dock higher, and scrolls so that no more of the picture is covered by `bars`. */
export function keepClear(picture: HTMLElement, bars: HTMLElement[], change: () => void): void {
  const isShown = (bar: HTMLElement) => bar.getClientRects().length > 0;
  const edge = () => Math.min(...bars.filter(isShown).map((bar) => bar.getBoundingClientRect().top));
  const before = edge();
  change();
  const covered = newlyCovered(picture.getBoundingClientRect(), before, edge());
  if (covered > 0) scrollBy(0, covered);
}
