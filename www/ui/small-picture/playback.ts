// When a recording shows what: its moments one after the other, each followed by a rest, and then from the beginning.

import { frameCount, type Moment, type Recording } from "./recording";

/** What is shown at a time: a moment, a position in it in frames, and how opaque the picture is. */
export interface Shown {
  moment: Moment;
  position: number;
  opacity: number;
}

/** The rest after a moment, and the longer one after the last, in seconds. */
const REST_SECONDS = 1.2;
const LAST_REST_SECONDS = 2.5;
/** Pictures fade in and out within this time. */
const FADE_SECONDS = 0.35;

/** The seconds that a moment takes, with the rest after it. */
function duration({ rate, moments }: Recording, index: number): number {
  const frames = frameCount(moments[index] as Moment) - 1;
  return frames / rate + (index === moments.length - 1 ? LAST_REST_SECONDS : REST_SECONDS);
}

/** What a recording shows after these seconds. */
export function shownAt(recording: Recording, seconds: number): Shown {
  const { moments, rate } = recording;
  const total = moments.reduce((sum, _, index) => sum + duration(recording, index), 0);
  let time = seconds % total;
  let index = 0;
  while (index < moments.length - 1 && time >= duration(recording, index)) time -= duration(recording, index++);
  const moment = moments[index] as Moment;
  const left = duration(recording, index) - time;
  const opacity = Math.max(0, Math.min(1, time / FADE_SECONDS, left / FADE_SECONDS));
  return { moment, position: Math.min(frameCount(moment) - 1, time * rate), opacity };
}

/** The end of the last moment, as a still picture. */
export function stillOf({ moments }: Recording): Shown {
  const moment = moments.at(-1) as Moment;
  return { moment, position: frameCount(moment) - 1, opacity: 1 };
}
