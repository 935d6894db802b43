// Which program of a lab a run needs. A lab has one, named after it; worlds of a visitor's own are learned by a second
// one of the lab `control`, which a first visit does not load.

import type { Change, JsonValue } from "../generated/protocol";
import type { Settings } from "./values";

/** The program of a run with these settings, as its folder in `generated/wasm/BUILD/` is called. */
export function programOf(lab: string, settings: Settings): string {
  return lab === "control" && settings["world"] === "own" ? "control-own-worlds" : lab;
}

/**
 * The command that gives a new run with these settings what the open run learns, whose changes these are; null if the
 * new run learns what its settings say.
 */
export function dataLike(changes: readonly Change[], lab: string, settings: Settings): JsonValue | null {
  if (programOf(lab, settings) === lab) return null;
  return changes.findLast(({ data }) => data)?.data?.command ?? null;
}
