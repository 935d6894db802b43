// Scrolls to an element.

import { reducedMotion } from "./theme";

/**
 * Scrolls until the element is in sight, smoothly unless the visitor prefers reduced motion. It scrolls as little as
 * needed if `block` is "nearest"; the page's margins for scrolling keep the element clear of the bars.
 */
export function bringIntoSight(element: Element, block: ScrollLogicalPosition = "nearest"): void {
  element.scrollIntoView({ block, behavior: reducedMotion() ? "auto" : "smooth" });
}
