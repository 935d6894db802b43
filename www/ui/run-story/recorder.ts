// Records pictures of the agent as it was at several units (training iterations) of the open run. A second worker opens
// the moments that were kept (core/past-run.ts), repeats the units up to the wanted one where that is quick, and lets
// the stage go on there for some seconds, which takes it a fraction of that time.

import type { Moments } from "../../core/moments";
import { PastRun, type PastState } from "../../core/past-run";
import type { Run } from "../../core/run";
import type { AnyView } from "../../core/run-events";
import type { Picture } from "../small-picture/picture";
import { clipOf } from "../small-picture/recording";
import type { DemoModule } from "../stage-demo";
import { sameFrame, textClip, type Shot } from "./shot";

/** How a lab is shown. */
export interface StageOfLab {
  picture: Picture;
  /** Frames per second, as in the lab's recording on the front. */
  rate: number;
  /** Lets the agent show what it can do where a stage rests until somebody touches it. */
  stageDemo: DemoModule["stageDemo"] | undefined;
  /** What a view shows of a behaviour; null for nothing. */
  shown: (view: AnyView) => string | null;
}

/** Where the past run has arrived. `repeated` counts the units that it repeated on the way. */
interface Arrival {
  units: number;
  same: boolean;
  repeated: number;
}

/** What is recorded of each unit, in seconds of the story. */
const CLIP_SECONDS = 6;
/** Where a frame is a turn, and not a time, this much time passes from one view to the next. */
const TURN_VIEW_SECONDS = 0.25;
/** The most views of a clip. */
const MAX_VIEWS = 240;
/** Repeating units may take this long for each picture; otherwise the nearest kept moment is shown. */
const MAX_REPEAT_MS = 6000;

/** Recording was given up. */
export class Cancelled extends Error {}

export class StoryRecorder {
  #past: PastRun;
  #isClosed = false;
  /** Rejects what is being waited for. */
  #abort: ((error: Error) => void) | null = null;
  /** How long the worker takes to repeat a unit; NaN before it has repeated one. */
  #unitMs = NaN;

  constructor(
    run: Run,
    readonly moments: Moments,
    readonly stage: StageOfLab,
  ) {
    this.#past = new PastRun(run, moments);
  }

  /** Ends the worker. */
  close(): void {
    this.#isClosed = true;
    this.#past.close();
    this.#abort?.(new Cancelled());
  }

  /** Records the agent at a unit, or at the nearest one that can be shown without much repeating. */
  async record(unit: number): Promise<Shot> {
    const { units, same } = await this.#goTo(unit);
    return { unit: units, same, ...(await this.#film()) };
  }

  async #goTo(unit: number): Promise<Arrival> {
    const { moments } = this;
    const kept = moments.before(unit)?.units ?? moments.first ?? 0;
    // Nothing is known of the time before a unit was repeated, so the first one is tried.
    const isFar = (unit - kept) * this.#unitMs > MAX_REPEAT_MS;
    const tried = isFar ? null : await this.#arrive(unit, true);
    if (tried?.units === unit) return tried;
    // The agent after the moment has what it brought; before it there may be nothing to see yet.
    const after = moments.list.find(({ units }) => units >= unit)?.units;
    const there = await this.#arrive(after ?? kept, false);
    if (!there) throw new Error("no checkpoint of this moment was kept");
    return there;
  }

  /** Goes to a unit; null if repeating takes too long. */
  #arrive(unit: number, repeat: boolean): Promise<Arrival | null> {
    if (this.#isClosed) return Promise.reject(new Cancelled());
    const past = this.#past;
    return new Promise((resolve, reject) => {
      let [repeated, begun] = [0, 0];
      // Only repeating counts: before it the bundle may still be loading.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (settle: () => void) => {
        clearTimeout(timer);
        unsubscribe();
        this.#abort = null;
        if (repeated > 0) this.#unitMs = (performance.now() - begun) / repeated;
        settle();
      };
      const follow = (state: PastState) => {
        if (state.kind === "failed") end(() => reject(new Error(state.message)));
        if (state.kind === "there") end(() => resolve({ units: state.units, same: state.same, repeated }));
        if (state.kind !== "replaying") return;
        repeated++;
        begun ||= performance.now();
        timer ??= setTimeout(() => end(() => resolve(null)), MAX_REPEAT_MS);
      };
      this.#abort = (error) => end(() => reject(error));
      const unsubscribe = past.on("changed", follow);
      past.goTo(unit, repeat);
    });
  }

  /** Lets the stage go on, and keeps what it shows. */
  async #film(): Promise<Pick<Shot, "clip" | "shown">> {
    const { picture, rate, stageDemo } = this.stage;
    const demo = stageDemo?.();
    const isText = picture.text === true;
    const areTurns = (picture.transitionSeconds > 0 && !picture.timed) || isText;
    const seconds = areTurns ? TURN_VIEW_SECONDS : 1 / rate;
    const wanted = Math.ceil(CLIP_SECONDS * rate) + 1;
    const frames: Uint8Array[] = [];
    let text = new Uint8Array();
    let shown: string | null = null;
    for (let i = 0; i < MAX_VIEWS && frames.length < wanted && text.length < wanted; i++) {
      const view = await this.#view(i === 0 ? 0 : seconds);
      const frame = picture.encode(view);
      shown ??= this.stage.shown(view);
      if (isText) {
        // A finished sample gives way to the next one, which begins anew.
        if (frame.length < text.length) break;
        text = new Uint8Array(frame);
      } else if (!areTurns || !sameFrame(frames.at(-1), frame)) frames.push(frame);
      for (const command of demo?.(view, seconds) ?? []) this.#past.run.command(command);
    }
    return { clip: isText ? textClip(text) : clipOf(frames, picture), shown };
  }

  #view(seconds: number): Promise<AnyView> {
    const { run } = this.#past;
    if (this.#isClosed) return Promise.reject(new Cancelled());
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        for (const unsubscribe of subscriptions) unsubscribe();
        this.#abort = null;
        settle();
      };
      const subscriptions = [
        run.on("view", (view) => end(() => resolve(view))),
        run.on("failed", ({ message }) => end(() => reject(new Error(message)))),
      ];
      this.#abort = (error) => end(() => reject(error));
      run.requestView(seconds);
    });
  }
}
