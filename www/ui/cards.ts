// Cards shown in place of a lab's picture: the progress of loading with the lab's recording, or a failure of the worker
// with buttons to go on.

import { button, el, write } from "../core/dom";
import type { WorkerFailure } from "../core/worker-messages";
import type { NoticeAction } from "./notices";
import type { LoadingRecording } from "./small-picture/loading-recording";

const TITLES: Record<WorkerFailure["kind"], string> = {
  panic: "Training crashed",
  memory: "Training ran out of memory",
  noMemory: "There is not enough memory",
  fetch: "The lab could not be loaded",
  load: "The lab could not be loaded",
  later: "A part of the lab could not be loaded",
  silent: "Training stopped responding",
  device: "The GPU failed",
};

const EXPLANATIONS: Record<WorkerFailure["kind"], string> = {
  panic: "An error in the code of this lab stopped it. The page and your last save are not affected.",
  memory:
    "These settings need more memory than a browser tab can have. Choose a smaller network or batch, or fewer worlds.",
  noMemory: "The browser could not provide the memory that training needs. Close other tabs or programs and try again.",
  fetch:
    "Some of its files could not be downloaded. Check the connection, or reload the page: the site may have a new version.",
  load: "It did not start. Check the connection, or reload the page: the site may have a new version. If that does not help, close other tabs or programs, update the browser or use another one.",
  later:
    "The run came to a part of its program that could not be downloaded. Check the connection, then go on from your last save.",
  silent: "A step took far too long, so training was stopped.",
  device:
    "The run can be continued from its last save, on the processor (CPU). You can switch the GPU on again below the picture.",
};

/** A card about a failure, with a button for each action. */
export class FailureCard {
  readonly element: HTMLElement;

  constructor(failure: WorkerFailure, actions: NoticeAction[]) {
    this.element = el(
      "div",
      { class: "card failure", role: "alert" },
      el("h2", { text: TITLES[failure.kind] }),
      el("p", { text: EXPLANATIONS[failure.kind] }),
      el("p", { class: "row" }, ...actions.map(({ label, run: act }) => button(label, act))),
      el("details", {}, el("summary", { text: "Error message" }), el("pre", { text: failure.message })),
    );
  }

  /** Nothing has to end with it; whatever stands in place of the picture has this method. */
  destroy(): void {}
}

/** A lab that loads for longer than this shows its recording meanwhile. On a fast line it is not needed. */
const RECORDING_DELAY_MS = 1000;

/** A card that shows how much of a lab's code has been loaded, and if that takes long, the lab's recording. */
export class LoadingCard {
  readonly element: HTMLElement;
  #bar = el("span", { class: "loading-bar" });
  #text = el("p", { class: "quiet", text: "Loading the lab" });
  #stopRecording = (): void => {};

  constructor() {
    this.element = el("div", { class: "card loading" }, this.#text, el("span", { class: "loading-track" }, this.#bar));
  }

  /** Stops the recording and empties the bar, so that the card can be shown again. */
  destroy(): void {
    this.#stopRecording();
    this.show(0);
  }

  /** Shows the fraction, from 0 to 1, of the lab's code that has arrived, or that of another task with its `text`. */
  show(fraction: number, text = loadingText(fraction)): void {
    this.#bar.style.transform = `scaleX(${fraction})`;
    write(this.#text, text);
  }

  /**
   * Plays a recording above the bar until the card goes. `load` is called after `delayMs`, so that on a slow line the
   * lab's own files come first. Without a delay it is for a recording that need not be loaded.
   */
  playRecording(
    load: () => Promise<Pick<LoadingRecording, "element" | "destroy"> | null>,
    delayMs = RECORDING_DELAY_MS,
  ): void {
    this.#stopRecording();
    let recording: Pick<LoadingRecording, "element" | "destroy"> | null = null;
    let isStopped = false;
    const timer = setTimeout(() => {
      const play = (loaded: typeof recording) => {
        if (isStopped) return loaded?.destroy();
        recording = loaded;
        if (loaded) this.element.prepend(loaded.element);
      };
      load().then(play, () => {}); // without a recording the bar is enough
    }, delayMs);
    this.#stopRecording = () => {
      isStopped = true;
      clearTimeout(timer);
      recording?.element.remove();
      recording?.destroy();
      this.#stopRecording = () => {};
    };
  }
}

function loadingText(fraction: number): string {
  if (fraction >= 1) return "Starting the lab";
  const percent = Math.floor(100 * fraction);
  return percent > 0 ? `Loading the lab: ${percent}%` : "Loading the lab";
}
