// The share of cells that a grid without a live cell has right. The page compares an agent's share of correct cells
// with it.

/** Of all 512 neighbourhoods in the game of life, so many lead to a dead cell. */
const DEAD_SHARE = 372 / 512;

/** The share of a target, or without one of the game of life, that an empty grid has right. */
export function emptyShare(target: Uint8Array): number {
  return target.length > 0 ? target.filter((value) => value === 0).length / target.length : DEAD_SHARE;
}
