// The challenges that a run has done, as its result code says them: each by what it asks for, and the unit (training
// iteration) in which it was done. A code holds no titles, else a pupil could put a hard task's title on an easy one.
// The teacher's page has those of the lab and of the class; others are told by their goal.

import {
  judge,
  MAX_STAGES,
  readChallenge,
  stageInWords,
  writeChallenge,
  type Challenge,
  type Verdict,
} from "../core/challenge";
import { settingTitle, valueLabel } from "../core/labels";
import { readLink, settingText } from "../core/link";
import type { Run } from "../core/run";
import { MAX_ROWS } from "../core/series";
import type { LabInfo } from "../generated/protocol";
import { manifestOf } from "../labs/manifests";
import { shortened } from "./text";

/** The most challenges of a code, and the most characters of one. */
const MAX_DONE = 12;
const MAX_KEY = 400 * MAX_STAGES;
/** The most characters of a goal in words: a code that was made by hand may have hundreds of conditions. */
const MAX_NAME = 200;

export interface DoneChallenge {
  /** What it asks for (`keyOf`). */
  key: string;
  challenge: Challenge;
  /** Whether it is one of the lab's own. */
  isOwn: boolean;
  unit: number;
}

/** The challenge of a class: by its lab and what it asks for (`keyOf`), and its title. */
export interface ClassChallenge {
  lab: string;
  key: string;
  title: string;
}

/**
 * What a challenge asks for, as the part of a link behind its `?`, without its title. Unlike in other links, the
 * settings that it fixes to their defaults are there too: without them it would ask for less.
 */
export function keyOf({ settings, stages, show }: Challenge): string {
  const fixed = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  const pairs = fixed.map(([name, value]) => [name, settingText(value)] as const);
  if (show !== undefined) pairs.push(["show", show]);
  pairs.push(["challenge", writeChallenge({ title: "", hint: "", settings, stages })]);
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

/** The challenges of a lab itself. Rejects if the file with them does not load. */
export async function ownChallenges({ about }: LabInfo): Promise<Challenge[]> {
  return (await manifestOf(about.id)?.challenges?.())?.challenges ?? [];
}

/** What a run has done of these challenges up to a unit, as a code holds it. */
export function doneBy(run: Run, challenges: readonly Challenge[], units: number): [key: string, unit: number][] {
  const { lab, settings, series, changes } = run;
  if (!lab) return [];
  const done = new Map<string, number>();
  for (const challenge of challenges) {
    const verdict = judge(challenge, settings, series, lab, changes);
    if (verdict.state === "done" && verdict.unit <= units) done.set(keyOf(challenge), verdict.unit);
  }
  return [...done].slice(0, MAX_DONE);
}

/** Those that can be read again. A link that was made by hand may ask for what no code can hold. */
export async function readable(
  done: readonly [key: string, unit: number][],
  lab: LabInfo,
): Promise<[key: string, unit: number][]> {
  const read = await Promise.all(done.map((pair) => readDone([pair], lab, pair[1])));
  return done.filter((_, i) => read[i] !== null);
}

/** Reads what a code says of challenges in a run of so many units; null if it is not what a code writes. */
export async function readDone(value: unknown, lab: LabInfo, units: number): Promise<DoneChallenge[] | null> {
  if (!Array.isArray(value) || value.length > MAX_DONE) return null;
  const own = value.length > 0 ? await ownChallenges(lab) : [];
  const done: DoneChallenge[] = [];
  for (const each of value as unknown[]) {
    const [key, unit, ...more] = Array.isArray(each) ? (each as unknown[]) : [];
    if (typeof key !== "string" || key.length > MAX_KEY || more.length > 0) return null;
    if (!Number.isInteger(unit) || (unit as number) < 0 || (unit as number) > units) return null;
    const known = own.find((challenge) => keyOf(challenge) === key);
    const challenge = known ?? (await challengeOf(key, lab));
    if (!challenge || done.some((other) => other.key === key)) return null;
    done.push({ key, challenge, isOwn: known !== undefined, unit: unit as number });
  }
  return done;
}

/**
 * The challenge with this key; null if there is none. A key with `show`, of a challenge that starts with a view of the
 * lab instead of a run, is not read here: only the lab's own challenges have it.
 */
async function challengeOf(key: string, lab: LabInfo): Promise<Challenge | null> {
  const { request } = await readLink(`#/${lab.about.id}?${key}`, [
    { id: lab.about.id, load: () => Promise.resolve(lab) },
  ]);
  const challenge = request?.challenge ? readChallenge(lab, request.challenge, request.settings) : null;
  return challenge && keyOf(challenge) === key ? challenge : null;
}

/**
 * Whether a run that was repeated, with the metrics of all its units, has done a challenge as a code says. The page
 * that made the code drops rows of a long run, every second one and so on, so it may have seen the challenge done only
 * later: the repeated run may be earlier, not later.
 */
export function isDone({ challenge, unit }: DoneChallenge, run: Run, units: number): boolean {
  const { lab, settings, series, changes } = run;
  const verdict: Verdict | null = lab && judge(challenge, settings, series, lab, changes);
  if (verdict?.state !== "done") return false;
  return units > MAX_ROWS ? verdict.unit <= unit : verdict.unit === unit;
}

/** A challenge as the teacher's page calls it: by its title, or by its goal if it is none of the lab's. */
export function nameOf({ challenge, isOwn }: Pick<DoneChallenge, "challenge" | "isOwn">, lab: LabInfo): string {
  if (isOwn) return challenge.title;
  const goal = challenge.stages.map((stage) => stageInWords(lab, stage)).join("; then ");
  const fixed = Object.entries(challenge.settings).map(
    ([name, value]) => `, ${settingTitle(lab, name)} ${valueLabel(value)}`,
  );
  return shortened(`another goal: ${goal}${fixed.join("")}`, MAX_NAME);
}
