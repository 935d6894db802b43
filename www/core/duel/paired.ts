// Who has won a duel: both agents had the same tasks, so their results are compared task by task (a paired comparison).
// A lead counts only if chance would seldom explain it: the 95 % interval of the mean difference must not contain 0,
// and the randomisation test (Fisher) must give less than 5 %. That test is exact for results of any shape: if the
// agents were equally good, each task could as well have gone the other way round.

import { randomFrom } from "./random";

/** The results of both agents, compared task by task. */
export interface Paired {
  /** The number of tasks. */
  tasks: number;
  /** Mean results of the first and of the second agent. */
  means: [first: number, second: number];
  /** Mean of how much better the first agent was; negative if it was worse. */
  lead: number;
  /** Half the width of the 95 % interval of the lead; NaN with fewer than two tasks. */
  margin: number;
  /** In how many tasks the first agent was better, and in how many the second; the others were equal. */
  won: [first: number, second: number];
  /** True if chance could explain the lead. */
  isChance: boolean;
}

/** An outcome that is less probable than this by chance counts as more than chance. */
const SIGNIFICANCE = 0.05;
/** Random reversals of tasks from which the probability is estimated. */
const REVERSALS = 20_000;
/** Up to so many tasks that were not equal, all reversals are tried. */
const MAX_EXACT = 14;
/** Differences of a billionth are rounding errors of their sums. */
const ROUNDING = 1e-9;

/** Compares results. `better` is 1 if more is better, −1 if less. */
export function compared(first: readonly number[], second: readonly number[], better: 1 | -1): Paired {
  const tasks = Math.min(first.length, second.length);
  const leads = first.slice(0, tasks).map((result, i) => better * (result - (second[i] as number)));
  const lead = mean(leads);
  const squares = leads.reduce((sum, each) => sum + (each - lead) ** 2, 0);
  const margin = tasks < 2 ? NaN : quantileOfT(tasks - 1) * Math.sqrt(squares / (tasks - 1) / tasks);
  const [ahead, behind] = [leads.filter((each) => each > 0).length, leads.filter((each) => each < 0).length];
  const isOutside = Math.abs(lead) > margin;
  return {
    tasks,
    means: [mean(first.slice(0, tasks)), mean(second.slice(0, tasks))],
    lead,
    margin,
    won: [ahead, behind],
    isChance: !isOutside || chanceOf(leads) >= SIGNIFICANCE,
  };
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/**
 * The probability of a lead at least as large, either way, if each task could as well have gone the other way round.
 * Estimated from random reversals if there are too many tasks to try all; the same results have the same estimate.
 */
export function chanceOf(leads: readonly number[]): number {
  const sizes = leads.filter((each) => each !== 0).map(Math.abs);
  /** How large a sum of leads must be, either way, to be as large as the measured one, up to a rounding error. */
  const least = Math.abs(leads.reduce((sum, each) => sum + each, 0)) * (1 - ROUNDING);
  if (sizes.length <= MAX_EXACT) {
    const all = 2 ** sizes.length;
    let count = 0;
    for (let signs = 0; signs < all; signs++) {
      const sum = sizes.reduce((total, size, i) => total + ((signs >> i) & 1 ? size : -size), 0);
      if (Math.abs(sum) >= least) count++;
    }
    return count / all;
  }
  const random = randomFrom(sizes.length);
  let count = 1; // the results themselves are one of the cases
  for (let i = 0; i < REVERSALS; i++) {
    const sum = sizes.reduce((total, size) => total + (random() < 0.5 ? size : -size), 0);
    if (Math.abs(sum) >= least) count++;
  }
  return count / (REVERSALS + 1);
}

/**
 * The 97.5 % quantile of Student's t distribution: the expansion of Cornish and Fisher around that of the normal
 * distribution (Abramowitz and Stegun 26.7.5), within 0.003 from five degrees of freedom on. With fewer, the quantile
 * of one degree is taken, the largest of all.
 */
export function quantileOfT(degrees: number): number {
  const z = 1.959964;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  if (degrees < 5) return 12.71;
  return z + g1 / degrees + g2 / degrees ** 2 + g3 / degrees ** 3;
}
