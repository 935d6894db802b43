// The world of a visitor's own that a run learns: the command that gave it to the run. A run records it with its
// changes; a long one is only in its recipe, which the learner writes.

import FIRST_TEXT from "../../../../crates/labs/control/src/own/first.world?raw";
import type { Run } from "../../../core/run";
import type { Change, ControlCommand, ControlOwnParameter, WorldParameter } from "../../../generated/protocol";
import { titleOf } from "./kept-texts";

/** The command that gives a run the world of a text. */
export type WorldCommand = Extract<ControlCommand, { type: "world" }>;

/** What a run learns that was given no world. */
const FIRST_WORLD: WorldCommand = { type: "world", name: titleOf(FIRST_TEXT), text: FIRST_TEXT };

/** The world that a run learns since its last change of it; null if it has none, or if it is only in the recipe. */
export function recordedWorld(changes: readonly Change[]): WorldCommand | null {
  const last = changes.findLast(({ data }) => data);
  return toWorld(last?.data?.command);
}

/** The world of the last change of a recipe; null if there is none. */
export function worldOfRecipe(text: string): WorldCommand | null {
  try {
    const { changes = [] } = JSON.parse(text) as { changes?: { data?: unknown }[] };
    return toWorld(changes.findLast(({ data }) => data)?.data);
  } catch {
    return null; // no recipe, which the learner would not have sent
  }
}

function toWorld(command: unknown): WorldCommand | null {
  if (typeof command !== "object" || command === null) return null;
  const world = command as Partial<WorldCommand>;
  return world.type === "world" && typeof world.text === "string" ? (world as WorldCommand) : null;
}

/**
 * The world that a run learns, from its recipe where its changes leave it out. Null if it is not known: only the
 * network has it that the run continued from, or another run is opened first.
 */
export async function learnedWorld(run: Run): Promise<WorldCommand | null> {
  if (!run.changes.some(({ data }) => data)) return run.networkSince === null ? FIRST_WORLD : null;
  const recorded = recordedWorld(run.changes);
  if (recorded) return recorded;
  const saved = await run.save({ recipe: true }).catch(() => null);
  return saved && worldOfRecipe(new TextDecoder().decode(saved.bytes));
}

/** The world of a text in the editor, with these values of its parameters. */
export function worldOf(text: string, parameters: readonly WorldParameter[], values: readonly number[]): WorldCommand {
  const named = parameters.map(({ name, value }) => ({ name, usual: value }));
  return withParameters({ type: "world", name: titleOf(text), text }, named, values);
}

/** The same world with these values of its parameters. Only those are named that differ from the text. */
export function withParameters(
  { name, text }: WorldCommand,
  parameters: readonly Pick<ControlOwnParameter, "name" | "usual">[],
  values: readonly number[],
): WorldCommand {
  const changed = parameters.flatMap(({ name, usual }, i): [string, number][] => {
    const value = values[i];
    return value === undefined || value === usual ? [] : [[name, value]];
  });
  return { type: "world", name, text, ...(changed.length > 0 && { parameters: Object.fromEntries(changed) }) };
}
