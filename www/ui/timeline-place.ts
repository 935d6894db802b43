// The place of the timeline below a lab's picture. The timeline itself is loaded when the first unit (training
// iteration) has ended, because before there is nothing to look back at.

import { el } from "../core/dom";
import type { Run } from "../core/run";

interface Part {
  element: HTMLElement;
  tellStory: () => void;
  destroy: () => void;
}

export class TimelinePlace {
  readonly element = el("div", { class: "timeline-place" });
  #timeline: Part | null = null;
  #loading = false;
  #destroyed = false;
  /** Whether the story of the run is told as soon as the timeline is there. */
  #tells = false;
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

  /** Tells the story of the run. */
  tellStory(): void {
    this.#tells = !this.#timeline;
    this.#timeline?.tellStory();
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
    if (this.#tells) this.tellStory();
  }
}
