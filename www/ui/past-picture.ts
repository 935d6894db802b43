// A second picture in the place of a lab's picture: the agent of an earlier moment, from the same view module. It can
// be touched like the other one. The open run's picture is hidden meanwhile.

import { el, watchVisible, write } from "../core/dom";
import { sentence } from "../core/format";
import type { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import { ViewLoop } from "../core/view-loop";
import type { LabView, OpenFile, ViewModule } from "./lab-view";

/** The place of the picture, and how to hide what the open run shows there. */
export interface PicturePlace {
  element: HTMLElement;
  module: ViewModule<AnyView> | null;
  openFile: OpenFile;
  /** Hides the picture of the open run, or shows it again. */
  hidePresent: (hidden: boolean) => void;
}

export class PastPicture {
  #sign = el("p", { class: "past-sign num" });
  #view: LabView<AnyView> | null;
  #loop: ViewLoop | null = null;
  #cleanups: (() => void)[] = [];

  /** `past` is the run in the second worker, which has been opened. */
  constructor(
    readonly place: PicturePlace,
    readonly past: Run,
  ) {
    // Choices that restart the run belong to the open run, whose choices stay in sight. Those that act on its picture
    // rest.
    const view = (this.#view = place.module?.open(past, () => {}, place.openFile) ?? null);
    place.hidePresent(true);
    if (view) {
      const loop = (this.#loop = new ViewLoop(past, (data, seconds) => view.draw(data, seconds)));
      place.element.append(view.element);
      this.#cleanups.push(
        past.on("opened", () => view.opened()),
        past.on("refused", ({ request, message }) => request === "command" && view.refused?.(sentence(message))),
        watchVisible(view.element, (visible) => (loop.visible = visible)),
      );
    }
    place.element.append(this.#sign);
  }

  /** Says on the picture which moment it shows. */
  label(text: string): void {
    write(this.#sign, text);
  }

  destroy(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.#loop?.stop();
    this.#view?.destroy();
    this.#view?.element.remove();
    this.#sign.remove();
    this.place.hidePresent(false);
  }
}
