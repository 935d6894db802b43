// The worlds of the lab's challenges: their texts, and what of them may be changed.

import boat from "../../../../crates/world-rules/challenges/boat.world?raw";
import pole from "../../../../crates/world-rules/challenges/pole.world?raw";
import type { Change } from "../../../generated/protocol";
import { forbiddenChange, isVariant, type FreeParts } from "./same-rules";

interface ChallengeWorld extends FreeParts {
  text: string;
}

/** By name: the text of a world, and what of it may be changed (same-rules.ts). */
export const CHALLENGE_WORLDS = {
  boat: { text: boat, changeable: "reward", hidden: [] },
  pole: { text: pole, changeable: "observe", hidden: ["speed", "spin"] },
} satisfies Record<string, ChallengeWorld>;

export type ChallengeWorldName = keyof typeof CHALLENGE_WORLDS;

const PREFIX = "challenge.";

const OTHER_WORLD = "This run learns another world. “Start” opens that of the challenge.";

/** The part `show=` of a link that opens the editor with the world of a challenge. */
export const shownBy = (name: ChallengeWorldName): string => PREFIX + name;

/** The text that such a part of a link means; null for another part. */
export function textOfChallenge(shown: string): string | null {
  const name = shown.startsWith(PREFIX) ? shown.slice(PREFIX.length) : "";
  return Object.hasOwn(CHALLENGE_WORLDS, name) ? CHALLENGE_WORLDS[name as ChallengeWorldName].text : null;
}

/**
 * Why a run with these changes cannot do the challenge with this world; null if it can. All worlds that the run has
 * learned count: what was measured before a change counts as well.
 */
export function worldMismatch(name: ChallengeWorldName, changes: readonly Change[]): string | null {
  const world: ChallengeWorld = CHALLENGE_WORLDS[name];
  const given = changes.flatMap(({ data }) => (data ? [data.command] : []));
  const texts = given.map((command) => (command as { text?: unknown } | undefined)?.text);
  if (texts.length === 0) return OTHER_WORLD;
  for (const text of texts) {
    // A run does not keep long commands.
    if (typeof text !== "string")
      return "The text of this world is too long to be compared. Shorten it, and train again.";
    if (!isVariant(world.text, text)) return OTHER_WORLD;
    const problem = forbiddenChange(world.text, text, world);
    if (problem !== null) return problem;
  }
  return null;
}
