// The challenges of the open run: judges them whenever a unit (training iteration) has ended, and remembers in this
// browser which ones have been done.

import { judge, writeChallenge, type Challenge, type Verdict } from "../../core/challenge";
import { Emitter } from "../../core/events";
import { isNumber } from "../../core/unknown";
import type { Run } from "../../core/run";
import type { LabInfo } from "../../generated/protocol";

/** When a challenge was done first: the unit (training iteration), and the seed of the run. */
export interface Done {
  unit: number;
  seed: number;
}

const STORAGE_KEY = "learnery-challenges";
/** At most this many are remembered per lab, because links may hold any number. */
const MAX_REMEMBERED = 200;

export class Challenges extends Emitter<{ changed: null }> {
  #done: Map<string, Done>;
  /** The latest measured unit when the challenges were last judged; -1 to judge them anew. */
  #judgedUnit = -1;
  #verdicts = new Map<Challenge, Verdict>();
  #unsubscribe: (() => void)[];

  constructor(
    readonly lab: LabInfo,
    readonly run: Run,
    /** The lab's own challenges. */
    readonly listed: Challenge[],
    /** The challenge of the link that the page was opened with. */
    readonly linked: Challenge | null,
    /** Called when a challenge has just been done. */
    readonly announce: (challenge: Challenge, done: Done) => void,
  ) {
    super();
    this.#done = load(lab.about.id);
    const judgeAnew = () => {
      this.#judgedUnit = -1;
      this.#judge();
    };
    this.#unsubscribe = [
      run.on("progress", () => this.#judge()),
      run.on("opened", judgeAnew),
      run.on("configured", judgeAnew),
    ];
    this.#judge();
  }

  get all(): Challenge[] {
    return this.linked ? [this.linked, ...this.listed] : this.listed;
  }

  /** How far the open run is. */
  verdict(challenge: Challenge): Verdict {
    return this.#verdicts.get(challenge) ?? { state: "open", stage: 0 };
  }

  /** When the challenge was done in this browser, by any run; null if it was not. */
  done(challenge: Challenge): Done | null {
    return this.#done.get(keyOf(challenge)) ?? null;
  }

  destroy(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #judge(): void {
    const { series, settings, seed, changes } = this.run;
    const latestUnit = series.units.at(-1) ?? 0;
    if (latestUnit === this.#judgedUnit || !this.run.open) return;
    this.#judgedUnit = latestUnit;
    for (const challenge of this.all) {
      const verdict = judge(challenge, settings, series, this.lab, changes);
      this.#verdicts.set(challenge, verdict);
      if (verdict.state !== "done" || this.done(challenge)) continue;
      const done = { unit: verdict.unit, seed };
      this.#done.set(keyOf(challenge), done);
      save(this.lab.about.id, this.#done);
      this.announce(challenge, done);
    }
    this.emit("changed", null);
  }
}

/** Identifies a challenge by what it asks for, so that one of a link counts as the lab's own one that asks the same. */
function keyOf({ settings, stages, show = "" }: Challenge): string {
  const fixed = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fixed) + writeChallenge({ title: "", hint: "", settings, stages }) + show;
}

type Stored = Record<string, [key: string, done: Done][]>;

function loadAll(): Stored {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Stored | null;
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {}; // damaged, or this browser keeps nothing
  }
}

function load(lab: string): Map<string, Done> {
  const entries = loadAll()[lab];
  if (!Array.isArray(entries)) return new Map();
  return new Map(
    entries.filter((entry) => Array.isArray(entry) && isNumber(entry[1]?.unit) && isNumber(entry[1]?.seed)),
  );
}

function save(lab: string, done: Map<string, Done>): void {
  const entries = [...done].slice(-MAX_REMEMBERED);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...loadAll(), [lab]: entries }));
  } catch {
    // This browser keeps nothing; they are remembered until the page is closed.
  }
}
