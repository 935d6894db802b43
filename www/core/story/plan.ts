// Which pictures a story shows, and when: from the beginning of a run through its moments to now, in half a minute. It
// is slow at the moments, and sped up between them.

import type { StoryMoment } from "./moments";

/** The beginning of a run, a moment that mattered, the agent between two of these, and the end. */
export type SceneKind = "start" | "moment" | "between" | "end";

/** A part of the story: the agent at one unit (training iteration). */
export interface Scene {
  kind: SceneKind;
  unit: number;
  moment: StoryMoment | null;
}

/** A scene with the time that it is given. */
export interface TimedScene {
  scene: Scene;
  /** When it begins, in seconds from the beginning of the story. */
  begin: number;
  seconds: number;
  /** Times as fast as in the lab. */
  speed: number;
}

/** What a story takes at most, in seconds. */
export const STORY_SECONDS = 30;
/** How long a scene of each kind takes, in seconds. Those between moments take less if little time is left for them. */
const SECONDS: Record<SceneKind, number> = { start: 3, moment: 6, between: 2, end: 3 };
/** The shortest time of a scene between two moments. */
const MIN_BETWEEN_SECONDS = 1;
/** How much faster than in the lab the scenes between are. */
const BETWEEN_SPEED = 3;
/** The most scenes between two moments, as far as they have time. */
const MAX_BETWEEN = 2;

interface PlanOptions {
  /** The first and the last unit that can be shown. */
  first: number;
  last: number;
  moments: StoryMoment[];
  /** The units of which checkpoints are kept, in ascending order. */
  kept: number[];
}

/** The scenes of a story, in the order of the run. Between two moments the scenes are of units that were kept. */
export function planScenes({ first, last, moments, kept }: PlanOptions): Scene[] {
  const main: Scene[] = [
    { kind: "start", unit: first, moment: null },
    ...moments
      .filter(({ unit }) => unit >= first && unit <= last)
      .map((moment): Scene => ({ kind: "moment", unit: moment.unit, moment })),
  ];
  if ((main.at(-1) as Scene).unit < last) main.push({ kind: "end", unit: last, moment: null });
  const gaps = main.map(({ unit: from }, i) => {
    const to = main[i + 1]?.unit ?? from;
    return kept.filter((unit) => unit > from && unit < to);
  });
  const left = STORY_SECONDS - main.reduce((sum, { kind }) => sum + SECONDS[kind], 0);
  /** The gaps that have scenes to show. */
  const filled = gaps.filter(({ length }) => length > 0).length;
  const most = Math.min(MAX_BETWEEN, Math.floor(left / (MIN_BETWEEN_SECONDS * filled)));
  return main.flatMap((scene, i) => {
    const units = spread(gaps[i] ?? [], most);
    return [scene, ...units.map((unit): Scene => ({ kind: "between", unit, moment: null }))];
  });
}

/** At most `most` of some units, at equal distances in the list. */
function spread(units: number[], most: number): number[] {
  if (units.length <= most) return units;
  return Array.from({ length: most }, (_, i) => units[Math.floor(((i + 1) * units.length) / (most + 1))]).filter(
    (unit) => unit !== undefined,
  );
}

/** When each scene is shown. */
export function timeScenes(scenes: Scene[]): TimedScene[] {
  const count = scenes.filter(({ kind }) => kind === "between").length;
  const others = scenes.reduce((sum, { kind }) => sum + (kind === "between" ? 0 : SECONDS[kind]), 0);
  const left = count === 0 ? 0 : (STORY_SECONDS - others) / count;
  const between = Math.max(MIN_BETWEEN_SECONDS, Math.min(SECONDS.between, left));
  let begin = 0;
  return scenes.map((scene) => {
    const isBetween = scene.kind === "between";
    const timed = {
      scene,
      begin,
      seconds: isBetween ? between : SECONDS[scene.kind],
      speed: isBetween ? BETWEEN_SPEED : 1,
    };
    begin += timed.seconds;
    return timed;
  });
}

/** The seconds of a story. */
export function lengthOf(scenes: TimedScene[]): number {
  const last = scenes.at(-1);
  return last ? last.begin + last.seconds : 0;
}

/** The index of the scene at a time. */
export function sceneAt(scenes: TimedScene[], seconds: number): number {
  return Math.max(
    0,
    scenes.findLastIndex(({ begin }) => begin <= seconds),
  );
}

/**
 * The position in the film of a scene, which has `frames` frames, at the time `at` of the story: a fraction is between
 * two frames. `rate` is the film's frames per second at the speed of the lab. The end of a story ends with its film, so
 * that the last picture is what came of it and not the beginning of another attempt.
 */
export function positionAt({ scene, begin, seconds, speed }: TimedScene, at: number, rate: number, frames: number) {
  const skipped = scene.kind === "end" ? Math.max(0, frames - 1 - seconds * speed * rate) : 0;
  return skipped + (at - begin) * speed * rate;
}

/** How long the mark on the curve takes from one scene to the next, as a fraction of the scene. */
const TRAVEL_FRACTION = 0.3;

/** The unit that the curve marks at a time: it travels from one scene's unit to the next. */
export function unitAt(scenes: TimedScene[], seconds: number): number {
  const index = sceneAt(scenes, seconds);
  const timed = scenes[index];
  if (!timed) return 0;
  const from = scenes[index - 1]?.scene.unit ?? timed.scene.unit;
  const share = Math.min(1, (seconds - timed.begin) / (TRAVEL_FRACTION * timed.seconds));
  return from + share * (timed.scene.unit - from);
}
