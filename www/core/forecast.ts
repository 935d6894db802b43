// How far a run is on the way to its goal, and how long the rest takes. The share of the way is measured by the run's
// own tests. Times come from recorded runs with the same settings and other seeds, because a run's own trend does not
// tell them: curves flatten near the goal.

/** The unit (training iteration) in which each recorded run reached its goal; null if it did not within its limit. */
export type GoalUnits = readonly (number | null)[];

/** A range of units. */
export interface UnitSpan {
  from: number;
  to: number;
}

/** What most of the recorded runs took. */
export interface UsualUnits extends UnitSpan {
  /** How many runs lie in the range, and how many were recorded. */
  counted: number;
  runs: number;
}

/** Fewer runs than this tell nothing about the next one. */
const MIN_RUNS = 5;
/** This fraction of the runs, the quickest, is no part of what most runs took; nor are as many of the slowest. */
const UNUSUAL_FRACTION = 0.1;
/** A forecast holds if it is off by at most this fraction of what was really left. */
const HOLDS_FRACTION = 1 / 3;
/**
 * A forecast is made where it would have been off by at most this fraction for each recorded run, made from the others.
 * It is smaller than `HOLDS_FRACTION`, because a new run may differ more from the recorded ones than they do from each
 * other.
 */
const AGREES_FRACTION = 1 / 4;
/**
 * No forecast is made once the quickest run has less than this fraction of its way left: tests are some units apart,
 * and one test more or less is then a large part of what is left.
 */
const LAST_FRACTION = 1 / 4;
/**
 * A range of times whose ends differ by more than this factor tells a visitor less than the range of the units does.
 */
const MAX_TIMES_FACTOR = 4;

/**
 * The fraction of the way from the first test to the goal that the last one has covered, from 0 to 1; null if there are
 * no two tests. `values` are the measurements of the goal's metric; those that are not numbers are left out.
 */
export function measuredShare(values: number[], target: number): number | null {
  const [first, ...later] = values.filter(Number.isFinite);
  const last = later.at(-1);
  if (first === undefined || last === undefined) return null;
  const way = target - first;
  return way === 0 ? 1 : Math.min(1, Math.max(0, (last - first) / way));
}

/** What most of some recorded runs took; null if there are too few, or if most did not reach the goal. */
export function usualUnits(goalUnits: GoalUnits): UsualUnits | null {
  const runs = goalUnits.length;
  if (runs < MIN_RUNS) return null;
  const unusual = Math.floor(UNUSUAL_FRACTION * runs);
  const reached = goalUnits.filter((unit) => unit !== null).sort((a, b) => a - b);
  // The runs that did not reach the goal are the slowest.
  const usual = reached.slice(unusual, runs - unusual);
  const [from, to] = [usual[0], usual.at(-1)];
  if (from === undefined || to === undefined) return null;
  // Runs that were left out may lie in the range too, where they tie with its ends.
  const counted = reached.filter((unit) => unit >= from && unit <= to).length;
  return 2 * counted > runs ? { from, to, counted, runs } : null;
}

/**
 * The units that are left after `unit` until what most runs took, if a time may be told of them; else null. None is
 * told once the range has begun, or if its ends differ too much. The runs outside of the range count here too: a time
 * is told only while it is off by at most a third for each recorded run that was still on its way at `unit`.
 */
export function usualUnitsLeft(goalUnits: GoalUnits, unit: number): UnitSpan | null {
  const usual = usualUnits(goalUnits);
  if (!usual) return null;
  const [from, to] = [usual.from - unit, usual.to - unit];
  if (from <= 0 || to > MAX_TIMES_FACTOR * from) return null;
  const holds = goalUnits.every((end) => {
    if (end === null) return false;
    const left = end - unit;
    const told = Math.min(to, Math.max(from, left));
    return left <= 0 || Math.abs(told - left) <= HOLDS_FRACTION * left;
  });
  return holds ? { from, to } : null;
}

/**
 * The units that are left after `unit`, as the range of what the recorded runs then had left; null where they differ
 * too much to tell, and everywhere if such forecasts did not hold for the recorded runs themselves.
 */
export function unitsLeft(goalUnits: GoalUnits, unit: number): UnitSpan | null {
  return haveHeld(goalUnits) ? rangeLeft(goalUnits, unit) : null;
}

/** Results of `haveHeld`, which replays whole runs. */
const HELD = new WeakMap<GoalUnits, boolean>();

/** Whether each forecast that the other runs would have made for a recorded run, over its whole length, has held. */
function haveHeld(goalUnits: GoalUnits): boolean {
  const known = HELD.get(goalUnits);
  if (known !== undefined) return known;
  const lastUnit = Math.max(0, ...goalUnits.map((end) => end ?? 0));
  const held = goalUnits.every((end, run) => {
    const others = goalUnits.filter((_, other) => other !== run);
    for (let unit = 0; unit < (end ?? lastUnit); unit++) {
      const range = rangeLeft(others, unit);
      if (range && !isWithin(HOLDS_FRACTION, range, (end ?? Infinity) - unit)) return false;
    }
    return true;
  });
  HELD.set(goalUnits, held);
  return held;
}

/** The range of what runs have left after `unit`, if each would have been forecast well from the others; else null. */
function rangeLeft(goalUnits: GoalUnits, unit: number): UnitSpan | null {
  const left = goalUnits.flatMap((end) => (end === null || end > unit ? [(end ?? Infinity) - unit] : []));
  if (left.length < MIN_RUNS || left.includes(Infinity)) return null;
  left.sort((a, b) => a - b);
  const quickest = left[0] as number;
  if (quickest < LAST_FRACTION * (unit + quickest)) return null;
  const range = (ends: number[]) => ({ from: ends[0] as number, to: ends.at(-1) as number });
  // Leaving out a run changes the range only if the run is the first or the last.
  const agrees =
    isWithin(AGREES_FRACTION, range(left.slice(1)), quickest) &&
    isWithin(AGREES_FRACTION, range(left.slice(0, -1)), left.at(-1) as number);
  return agrees ? range(left) : null;
}

/** Whether a range, told by its middle, is off by at most this fraction of the truth. */
function isWithin(fraction: number, range: UnitSpan, truth: number): boolean {
  return Number.isFinite(truth) && Math.abs(middleOf(range) - truth) <= fraction * truth;
}

/** The number that is off by the same fraction of both ends of a range whose ends are a factor of two apart. */
export function middleOf({ from, to }: UnitSpan): number {
  return (2 * from + to) / 3;
}

/** Speeds that times are told from are means over so many seconds: a test of the agent is some seconds long. */
const MEAN_SECONDS = 30;
/** Over a shorter time the speed of the moment is no worse. */
const MIN_MEAN_SECONDS = 5;

/**
 * The mean speed of a run, from the end of one unit to that of a later one. It contains the time that tests take, which
 * the speed of the moment does not.
 */
export class MeanSpeed {
  #of = "";
  /** Ends of units in the last seconds, the oldest first. */
  #ends: { seconds: number; units: number }[] = [];

  /**
   * Notes the units of a run at a time, or the work of whole units, and returns the mean; `present`, the speed of the moment, while too little is
   * known. With another `of`, such as another run, it begins anew.
   */
  note(of: string, seconds: number, units: number, present: number): number {
    if (of !== this.#of) this.#ends = [];
    this.#of = of;
    if (units !== this.#ends.at(-1)?.units) this.#ends.push({ seconds, units });
    while (this.#ends.length > 2 && seconds - (this.#ends[1]?.seconds ?? 0) >= MEAN_SECONDS) this.#ends.shift();
    // The first one was noted at any time of its unit.
    const [, first] = this.#ends;
    const last = this.#ends.at(-1);
    if (!first || !last || last.seconds - first.seconds < MIN_MEAN_SECONDS) return present;
    return (last.units - first.units) / (last.seconds - first.seconds);
  }
}

/** What times are told from. */
export interface Pace {
  /** The run and its latest test. */
  of: string;
  units: number;
  /** 0 while the run is paused. */
  unitsPerSecond: number;
}

/**
 * What times are told from: the units so far, and the speed that they were told from before, until a test has come or
 * the speed has changed by a third. So a time counts down, and does not waver with the speed.
 */
export function steadyPace(told: Pace | null, now: Pace): Pace {
  const isSame = told?.of === now.of && 3 * Math.abs(now.unitsPerSecond - told.unitsPerSecond) <= told.unitsPerSecond;
  return isSame ? { ...now, unitsPerSecond: told.unitsPerSecond } : now;
}
