// A duel: two agents of the same lab do the same tasks. A lab says in `labs/<lab>/duel.ts` which agents can meet, what
// they do, and what counts.

import { Superseded } from "../requests";
import type { Duelist } from "./duelist";
import { compared, type Paired } from "./paired";
import { DuelStage } from "./stage";

/** Both agents. */
export type Pair = [first: Duelist, second: Duelist];

/** What agents do against each other. */
export interface DuelPlan {
  /** What both do and what counts, in a sentence or two. */
  rule: string;
  /** What a result is, such as “steps”, and how many digits after the point matter. */
  unit: string;
  digits: number;
  /** A lead of so many, such as “3.2 steps more”. */
  lead: (number: string) => string;
  /** What is counted, such as “episodes”. */
  counts: string;
  /** What each of them won, if that is something else, such as “games” of which two are a pair. */
  wonCounts?: string;
  /** Lets them play. `progress` is told which share is done; the signal ends it with an error. */
  play: (pair: Pair, progress: (share: number) => void, signal: AbortSignal) => Promise<Paired>;
}

/** The duels of a lab. */
export interface LabDuel {
  /** The plan for these two, or a sentence why they cannot meet. */
  plan: (pair: Pair) => DuelPlan | string;
}

/** The same tasks for both, numbered from 0, each on the agent's own stage. */
export interface Tasks {
  count: number;
  better: 1 | -1;
  /** Prepares a stage on which a copy of the agent has been opened with the seed of the duel. */
  prepare?: (stage: DuelStage) => Promise<void>;
  /** The result of a task. */
  play: (stage: DuelStage, task: number) => Promise<number>;
}

/** The seed of every duel, by which start states and noise are the same for both. */
export const DUEL_SEED = 48;

/** Lets both agents do the same tasks, beside each other, each on one thread. */
export async function playTasks(
  pair: Pair,
  { count, better, prepare, play }: Tasks,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<Paired> {
  let done = 0;
  // Ends both sides: when the duel is stopped, and when one of them fails.
  const ended = new AbortController();
  const end = () => ended.abort();
  if (signal.aborted) end();
  signal.addEventListener("abort", end);
  const side = async (duelist: Duelist): Promise<number[]> => {
    const stage = new DuelStage(duelist);
    ended.signal.addEventListener("abort", () => stage.close());
    await stage.begin(DUEL_SEED);
    await prepare?.(stage);
    const results: number[] = [];
    for (let task = 0; task < count; task++) {
      if (ended.signal.aborted) throw new Superseded();
      results.push(await play(stage, task));
      progress(++done / (2 * count));
    }
    return results;
  };
  try {
    const [first, second] = await Promise.all([side(pair[0]), side(pair[1])]);
    return compared(first, second, better);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}
