// Plays a story: the picture, the curve with its mark, the caption, and the buttons that pause, step and begin again.

import { button, el, listen, write } from "../../core/dom";
import { lengthOf, positionAt, sceneAt, unitAt, type TimedScene } from "../../core/story/plan";
import { captionOf, type ToldScene } from "../../core/story/telling";
import type { StoryRun } from "../../core/story/moments";
import type { Picture } from "../small-picture/picture";
import { frameAt, frameCount } from "../small-picture/recording";
import { TimelineChart } from "../timeline-chart";
import { ShotPainter, type Shot } from "./shot";

export interface PlayerOptions {
  run: StoryRun;
  told: ToldScene<Shot>[];
  timed: TimedScene[];
  picture: Picture | null;
  /** Frames per second of the picture in the lab. */
  rate: number;
  /** What a frame shows, for screen readers, if not what the lab's recording shows. */
  wordsOf: ((frame: Uint8Array) => string) | undefined;
}

/** A longer time between two frames counts as this, so that the story does not jump after an interruption. */
const MAX_FRAME_SECONDS = 0.1;

export class StoryPlayer {
  readonly element: HTMLElement;
  #painter: ShotPainter | null = null;
  #chart = new TimelineChart();
  #place = el("div", { class: "run-story-picture", role: "img" });
  #sign = el("p", { class: "run-story-sign num" });
  #title = el("h3", {});
  #text = el("p", {});
  #note = el("p", { class: "quiet small" });
  #pause = button("Pause", () => this.#toggle(), { class: "primary" });
  #previous = button("Previous", () => this.#step(-1));
  #next = button("Next", () => this.#step(1));
  #clock = el("span", { class: "quiet num" });
  #seconds = 0;
  #isPlaying = true;
  #frame = 0;
  #drawnAt = 0;

  constructor(readonly options: PlayerOptions) {
    const { picture, told, wordsOf } = options;
    if (picture) {
      this.#painter = new ShotPainter(this.#place, picture);
      const clip = told[0]?.shot.clip;
      const words = clip && clip.bytes.length > 0 ? wordsOf?.(frameAt(clip, 0)) : null;
      this.#place.setAttribute("aria-label", `Recorded pictures of the run: ${words ?? picture.words}`);
    }
    this.element = el(
      "div",
      { class: "run-story-player" },
      picture && el("div", { class: "run-story-stage" }, this.#place, this.#sign),
      el("div", { class: "run-story-chart" }, this.#chart.element),
      el("div", { class: "run-story-caption", role: "status" }, this.#title, this.#text, this.#note),
      el("div", { class: "run-story-buttons row" }, this.#previous, this.#pause, this.#next, this.#clock),
    );
    listen(this.element, { keydown: (event) => this.#handleKey(event) });
    this.#frame = requestAnimationFrame(this.#tick);
  }

  /** The button that pauses, which gets the focus first. */
  get first(): HTMLElement {
    return this.#pause;
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#painter?.destroy();
    this.#chart.destroy();
  }

  #tick = (now: number): void => {
    this.#frame = requestAnimationFrame(this.#tick);
    const seconds = this.#drawnAt > 0 ? Math.min(MAX_FRAME_SECONDS, (now - this.#drawnAt) / 1000) : 0;
    this.#drawnAt = now;
    const length = lengthOf(this.options.timed);
    if (this.#isPlaying) this.#seconds = Math.min(length, this.#seconds + seconds);
    if (this.#seconds >= length) this.#isPlaying = false;
    this.#draw();
  };

  #toggle(): void {
    if (this.#seconds >= lengthOf(this.options.timed)) this.#seconds = 0;
    this.#isPlaying = !this.#isPlaying;
  }

  /** Goes to the next scene, or to the one before, and pauses there. */
  #step(by: number): void {
    const { timed } = this.options;
    const index = Math.max(0, Math.min(timed.length - 1, sceneAt(timed, this.#seconds) + by));
    this.#seconds = timed[index]?.begin ?? 0;
    this.#isPlaying = false;
  }

  #handleKey(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#step(by);
  }

  #draw(): void {
    const { run, told, timed, rate } = this.options;
    const index = sceneAt(timed, this.#seconds);
    const [scene, each] = [timed[index], told[index]];
    if (!scene || !each) return;
    const position = positionAt(scene, this.#seconds, rate, frameCount(each.shot.clip));
    this.#painter?.show(each.shot, position);
    const fast = scene.speed > 1 ? `, ${scene.speed} times as fast` : "";
    write(this.#sign, `${run.unit} ${each.shot.unit}${fast}`);
    const caption = captionOf(run, each);
    write(this.#title, caption.title);
    write(this.#text, caption.text);
    write(this.#note, this.options.picture ? caption.note : "");
    const length = lengthOf(timed);
    write(this.#pause, this.#seconds >= length ? "Again" : this.#isPlaying ? "Pause" : "Play");
    write(this.#clock, `${Math.floor(this.#seconds)} of ${Math.round(length)} s`);
    this.#previous.disabled = index === 0;
    this.#next.disabled = index === timed.length - 1;
    this.#chart.draw({
      units: run.series.units,
      values: run.series.column(run.metric),
      end: run.progress.units,
      goal: run.goal?.metric === run.metric ? run.goal.target : null,
      solvedAt: run.progress.solvedAt,
      moments: told.flatMap(({ scene }) => (scene.moment ? [scene.unit] : [])),
      branchedAt: null,
      shown: unitAt(timed, this.#seconds),
    });
  }
}
