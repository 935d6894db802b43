// Parts of the labs that a run gets below its picture: what its agents do for the first time, for its story, a race
// against its agent, and a duel with another agent. They are no parts of the manifests, because no first visit needs
// them.

import type { LabDuel } from "../core/duel/duel";
import type { Behaviour } from "../core/story/behaviour";
import type { Race } from "../ui/race";
import type { RunParts } from "../ui/run-parts";

// A run sends only views of its own lab, which the types cannot express (see manifests.ts).
const BEHAVIOURS = import.meta.glob<{ behaviour: Behaviour }>("./*/behaviour.ts");
const RACES = import.meta.glob<{ race: Race }>("./*/race/race.ts");
const DUELS = import.meta.glob<{ duel: LabDuel }>("./*/duel.ts");

export const hasDuels = (id: string): boolean => `./${id}/duel.ts` in DUELS;

export async function loadRunParts(id: string): Promise<RunParts> {
  const race = (await RACES[`./${id}/race/race.ts`]?.())?.race ?? null;
  const loadDuel = DUELS[`./${id}/duel.ts`];
  return {
    race,
    loadBehaviour: async () => (await BEHAVIOURS[`./${id}/behaviour.ts`]?.())?.behaviour ?? null,
    loadDuel: loadDuel ? async () => (await loadDuel()).duel : null,
  };
}
