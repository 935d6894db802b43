// Which commands to the lab are scrambles. A scramble of a single turn looks like a turn of the visitor, and the lab
// treats both alike. The tour tells them apart: it waits for a turn of the visitor.

import type { CubeCommand } from "../../generated/protocol";

/** The commands that were marked. They are remembered here, because what is sent to the lab must not change. */
const scrambles = new WeakSet<object>();

/** Marks a command as a scramble, and returns it. */
export function markedAsScramble(command: CubeCommand): CubeCommand {
  scrambles.add(command);
  return command;
}

export const isScramble = (command: CubeCommand): boolean => scrambles.has(command);
