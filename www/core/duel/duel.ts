// A duel: two agents of the same lab do the same tasks. A lab says in `labs/<lab>/duel.ts` which agents can meet, what
// they do, and what counts.

import { Superseded } from "../requests";
import type { Duelist, Entrant } from "./duelist";
import { compared, type Paired } from "./paired";
import { DuelStage } from "./stage";

/** Both agents. */
export type Pair = [first: Duelist, second: Duelist];

/** An exhibition match: what two agents play after the tasks of a duel. It decides nothing. */
export interface Exhibition {
  /** What happened, and what it says. */
  text: string;
  /** What can be saved of it, and the words of the button. */
  file: { label: string; name: string; bytes: Uint8Array };
}

/** What agents do against each other. */
export interface DuelPlan {
  /** What both do and what counts, in a sentence or two. Shown after the duel, which may add to it, such as a limit. */
  readonly rule: string;
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
  /** Plays an exhibition match after the tasks, if the lab has one. */
  exhibition?: (pair: Pair, signal: AbortSignal) => Promise<Exhibition>;
}

/** The duels of a lab. */
export interface LabDuel {
  /** The plan for these two, or a sentence why they cannot meet. Their runs need not have been repeated yet. */
  plan: (pair: [first: Entrant, second: Entrant]) => DuelPlan | string;
}

/**
 * Prepares both agents, one after the other, or says in a sentence why they cannot meet. That is known before their
 * runs are repeated, which takes long.
 */
export async function prepared<Agent extends { duelist: Duelist }>(
  duel: LabDuel,
  entrants: [first: Entrant, second: Entrant],
  prepare: (i: 0 | 1) => Promise<Agent>,
): Promise<{ agents: [first: Agent, second: Agent]; plan: DuelPlan } | { problem: string }> {
  const early = duel.plan(entrants);
  if (typeof early === "string") return { problem: early };
  const agents: [Agent, Agent] = [await prepare(0), await prepare(1)];
  const plan = duel.plan([agents[0].duelist, agents[1].duelist]);
  return typeof plan === "string" ? { problem: plan } : { agents, plan };
}

/** The same tasks for both, numbered from 0, each on the agent's own stage. */
export interface Tasks {
  count: number;
  /** 1 if more is better, −1 if less. */
  better: 1 | -1;
  /** The seed of a task, if each has a new copy of the agent. Without it, one copy has the seed of the duel. */
  seedOf?: (task: number) => number;
  /** Prepares the stage of the one copy for all tasks; not called where each task has a copy of its own. */
  prepare?: (stage: DuelStage) => Promise<void>;
  /** The result of a task. */
  play: (stage: DuelStage, task: number) => Promise<number>;
}

/**
 * The seed of the copies and of the tasks, unless a lab has a seed for each task (control). Any number would do, but it
 * must stay: whoever opens the link of a duel has to see the same tasks.
 */
export const DUEL_SEED = 48;

/** Lets both agents do the same tasks, beside each other, each on one thread. */
export async function playTasks(
  pair: Pair,
  { count, better, seedOf, prepare, play }: Tasks,
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
    if (!seedOf) {
      await stage.begin(DUEL_SEED);
      await prepare?.(stage);
    }
    const results: number[] = [];
    for (let task = 0; task < count; task++) {
      if (ended.signal.aborted) throw new Superseded();
      if (seedOf) await stage.begin(seedOf(task));
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
