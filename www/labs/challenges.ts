// Loads the challenges of a lab. A lab without an entry here has none of its own.

import type { Challenge } from "../core/challenge";

const LOADERS: Record<string, () => Promise<{ challenges: Challenge[] }>> = {
  backgammon: () => import("./backgammon/challenges"),
  control: () => import("./control/challenges"),
  cube: () => import("./cube/challenges"),
  language: () => import("./language/challenges"),
  logic: () => import("./logic/challenges"),
};

export async function loadChallenges(id: string): Promise<Challenge[]> {
  return (await LOADERS[id]?.())?.challenges ?? [];
}
