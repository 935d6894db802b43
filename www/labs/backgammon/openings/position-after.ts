// The position after a play of the first roll.

import { parsePlay } from "../game-record";
import { applyMove, copyPosition, NORTH, SOUTH, START_POSITION, type Position } from "../position";

/** The position after `play`, seen from the side that replies, which sits below. */
export function positionAfter(play: string): Position {
  const position = copyPosition(START_POSITION);
  for (const move of parsePlay(play)) applyMove(position, SOUTH, move);
  return [position[NORTH], position[SOUTH]];
}
