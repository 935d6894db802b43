// Parts of the labs that a run gets below its picture: what its agents do for the first time, for its story, and a race
// against its agent. Apart from the manifests, because no first visit needs them.

import type { Behaviour } from "../core/story/behaviour";
import type { Race } from "../ui/race";

// A run sends only views of its own lab, which the types cannot express (see manifests.ts).
const BEHAVIOURS = import.meta.glob<{ behaviour: Behaviour }>("./*/behaviour.ts");
const RACES = import.meta.glob<{ race: Race }>("./*/race/race.ts");

export interface RunParts {
  /** The behaviours of the lab; null for a lab that has none. */
  loadBehaviour: () => Promise<Behaviour | null>;
  race: Race | null;
}

export async function loadRunParts(id: string): Promise<RunParts> {
  const race = (await RACES[`./${id}/race/race.ts`]?.())?.race ?? null;
  return { race, loadBehaviour: async () => (await BEHAVIOURS[`./${id}/behaviour.ts`]?.())?.behaviour ?? null };
}
