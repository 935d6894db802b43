// Which commands to the lab are scrambles. A scramble of a single turn looks like a turn of the visitor, and the lab treats
// both alike; the tour does not.

import type { CubeCommand } from "../../generated/protocol";

const scrambles = new WeakSet<object>();

/** Marks a command as a scramble, and returns it. */
export function markedAsScramble(command: CubeCommand): CubeCommand {
  scrambles.add(command);
  return command;
}

export const isScramble = (command: CubeCommand): boolean => scrambles.has(command);
