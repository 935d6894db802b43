// Opens the story of the open run (core/story): finds its moments in the records, has pictures of them recorded, and
// plays it in a dialog. With reduced motion it is told by stills.

import { button, el, write } from "../../core/dom";
import type { Moments } from "../../core/moments";
import { reducedMotion } from "../../core/theme";
import type { Run } from "../../core/run";
import type { AnyView } from "../../core/run-events";
import { Series } from "../../core/series";
import type { Behaviour } from "../../core/story/behaviour";
import { settingTitle } from "../../core/labels";
import { findMoments, type StoryRun } from "../../core/story/moments";
import { planScenes, timeScenes, type Scene } from "../../core/story/plan";
import { tellScenes } from "../../core/story/telling";
import { formatEstimate, sentenceEnd } from "../../core/format";
import { createDialog } from "../dialog";
import type { Headline } from "../headline";
import type { LabMoment } from "../lab-moment";
import type { Picture, SmallPicture } from "../small-picture/picture";
import type { DemoModule } from "../stage-demo";
import { StoryPlayer } from "./player";
import { Cancelled, StoryRecorder } from "./recorder";
import type { Shot } from "./shot";
import { StoryStills } from "./stills";
import { StoryLink } from "./story-link";
import "../../style/run-story.css";

/** What a story needs of the lab and of its screen. */
export interface StoryParts {
  run: Run;
  moments: Moments;
  headline: Headline;
  small: SmallPicture | null;
  /** How a link draws the lab; null if it cannot. */
  own: Pick<LabMoment, "picture" | "words"> | null;
  demo: DemoModule | undefined;
  behaviour: Behaviour | null;
  /** What has to be said before the story of a link; empty for nothing. */
  remark: string;
}

/** A copy of the records of the open run, which may go on meanwhile. */
function recordsOf({ run, headline }: StoryParts): StoryRun {
  const { settings, goal, progress, changes, lab } = run;
  const series = new Series(run.series.specs);
  series.append({ units: run.series.units, values: run.series.values });
  const { metric, name } = headline;
  const titleOf = (setting: string) => settingTitle(lab, setting);
  return { series, settings, goal, progress, changes, unit: lab?.about.unit ?? "unit", metric, name, titleOf };
}

/** A shot where there is no picture. */
const noShot = (unit: number): Shot => ({
  unit,
  same: true,
  clip: { bytes: new Uint8Array(), frameSize: 1 },
  shown: null,
});

class StoryDialog {
  /** Resolves when it is closed. */
  readonly closed: Promise<void>;
  #resolve: () => void = () => {}; // replaced in the constructor
  #dialog: HTMLDialogElement;
  #body = el("div", { class: "run-story-body" });
  #words = el("p", { role: "status", text: "Looking for the moments that mattered …" });
  #progress = el("progress", { max: 1, value: 0, "aria-label": "Pictures that have been recorded" });
  #recorder: StoryRecorder | null = null;
  #shown: StoryPlayer | StoryStills | null = null;
  #isClosed = false;

  constructor(
    readonly parts: StoryParts,
    signal: AbortSignal,
  ) {
    const { run } = parts;
    this.closed = new Promise((resolve) => (this.#resolve = resolve));
    const link = run.networkSince === null ? new StoryLink(run) : null;
    this.#dialog = createDialog(
      { class: "run-story", titleId: "run-story-title", title: "The story of this run", closed: () => this.#end() },
      this.#body,
      link?.problem,
      el(
        "div",
        { class: "dialog-actions row" },
        link?.button,
        button("Close", () => this.#dialog.close()),
      ),
    );
    this.#body.append(this.#words, this.#progress);
    signal.addEventListener("abort", () => this.#dialog.close());
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  async tell(): Promise<void> {
    try {
      await this.#prepare();
    } catch (error) {
      if (error instanceof Cancelled) return;
      this.#progress.remove();
      write(this.#words, `The story cannot be told: ${sentenceEnd((error as Error).message)}`);
    }
  }

  async #prepare(): Promise<void> {
    const { parts } = this;
    const { moments, behaviour, small, own } = parts;
    // The story ends with the agent as it is now, and a fast run has gone far beyond its last moment. Without one of
    // now, as where nothing can be stored, it ends with the last one.
    await moments.keepPresent().catch(() => {});
    if (this.#isClosed) return;
    const story = recordsOf(parts);
    // At most three moments: where a picture can show a behaviour, one of them is left for it (`tellScenes`).
    const found = findMoments(story, behaviour, behaviour?.shown ? 2 : 3);
    const first = moments.first ?? 0;
    const kept = moments.list.map(({ units }) => units);
    const scenes = planScenes({ first, last: story.progress.units, moments: found, kept });
    // The frames of links draw what the lab's small picture alone cannot, such as a world of the visitor's own.
    const picture = small && (own?.picture?.(small.picture) ?? small.picture);
    const rate = small?.recording.rate ?? 1;
    const shots = picture ? await this.#record(scenes, picture, rate) : scenes.map(({ unit }) => noShot(unit));
    this.#recorder?.close();
    const told = tellScenes(scenes, shots, story.unit, behaviour?.shownTitle);
    const timed = timeScenes(told.map(({ scene }) => scene));
    const isStill = reducedMotion();
    const shown = isStill
      ? new StoryStills(story, told, picture)
      : new StoryPlayer({ run: story, told, timed, picture, rate, wordsOf: own?.words });
    this.#shown = shown;
    this.#body.replaceChildren(
      ...this.#remarks(
        told.some(({ scene }) => scene.moment),
        picture,
      ),
      shown.element,
    );
    if (shown instanceof StoryPlayer) shown.first.focus();
  }

  /** What has to be said before the story. */
  #remarks(hasMoments: boolean, picture: Picture | null): HTMLElement[] {
    const texts = [
      this.parts.remark,
      hasMoments
        ? ""
        : "No jump and no setback of this run stands out from the noise of its tests, so no moment is picked out.",
      picture ? "" : "There is no small picture of this lab, so the curve tells the story alone.",
    ];
    return texts.filter(Boolean).map((text) => el("p", { class: "quiet", text }));
  }

  async #record(scenes: Scene[], picture: Picture, rate: number): Promise<Shot[]> {
    const { run, moments, demo, behaviour } = this.parts;
    const shown = (view: AnyView) => behaviour?.shown?.(view, run.settings) ?? null;
    const stage = { picture, rate, stageDemo: demo?.stageDemo, shown };
    const recorder = (this.#recorder = new StoryRecorder(run, moments, stage));
    const shots: Shot[] = [];
    const begun = performance.now();
    for (const { unit } of scenes) {
      // By the pictures so far; the first one also waits for its worker.
      const left = ((performance.now() - begun) / 1000 / shots.length) * (scenes.length - shots.length);
      const time = shots.length === 0 ? "" : `, about ${formatEstimate(left)} left`;
      const words = `Recording picture ${shots.length + 1} of ${scenes.length}${time} …`;
      write(this.#words, `${words} The story then takes half a minute at most.`);
      this.#progress.value = shots.length / scenes.length;
      shots.push(await recorder.record(unit));
    }
    return shots;
  }

  #end(): void {
    this.#isClosed = true;
    this.#recorder?.close();
    this.#shown?.destroy();
    this.#dialog.remove();
    this.#resolve();
  }
}

/** Tells the story of the open run. Resolves when its dialog is closed, which the signal also does. */
export async function openStory(parts: StoryParts, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const dialog = new StoryDialog(parts, signal);
  await Promise.all([dialog.tell(), dialog.closed]);
}
