// The place of the timeline below a lab's picture. The timeline itself is loaded when the first unit (training
// iteration) has ended, because before there is nothing to look back at.

import { el } from "../core/dom";
import type { Run } from "../core/run";

interface Part {
  element: HTMLElement;
  tellStory: (remark: string) => void;
  destroy: () => void;
}

export class TimelinePlace {
  readonly element = el("div", { class: "timeline-place" });
  #timeline: Part | null = null;
  #loading = false;
  #destroyed = false;
  /** The remark of the story that is told as soon as the timeline is there; null if none is. */
  #remark: string | null = null;
  #unsubscribe: () => void;

  /** `create` loads and creates the timeline. */
  constructor(
    run: Run,
    readonly create: () => Promise<Part>,
  ) {
    this.#unsubscribe = run.on("progress", ({ units }) => units > 0 && void this.#load());
    if (run.open && run.progress.units > 0) void this.#load();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#unsubscribe();
    this.#timeline?.destroy();
  }

  /** Tells the story of the run with a remark before it, which may be empty. */
  tellStory(remark: string): void {
    this.#remark = this.#timeline ? null : remark;
    this.#timeline?.tellStory(remark);
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    // Without a network the page works on without it.
    const timeline = await this.create().catch(() => null);
    if (!timeline) return;
    if (this.#destroyed) {
      timeline.destroy();
      return;
    }
    this.#unsubscribe();
    this.#timeline = timeline;
    this.element.append(timeline.element);
    if (this.#remark !== null) this.tellStory(this.#remark);
  }
}
