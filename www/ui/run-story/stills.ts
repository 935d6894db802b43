// A story for visitors who prefer reduced motion: a still picture of each moment, with its caption.

import { el } from "../../core/dom";
import type { StoryRun } from "../../core/story/moments";
import { captionOf, type ToldScene } from "../../core/story/telling";
import type { Picture } from "../small-picture/picture";
import { ShotPainter, type Shot } from "./shot";

export class StoryStills {
  readonly element: HTMLElement;
  #painters: ShotPainter[] = [];

  constructor(run: StoryRun, told: ToldScene<Shot>[], picture: Picture | null) {
    const moments = told.filter(({ scene }) => scene.moment);
    // Without a moment that stands out, the beginning and the end are told.
    const shown = moments.length > 0 ? moments : told.filter(({ scene }) => scene.kind !== "between");
    this.element = el("div", { class: "run-story-stills" }, ...shown.map((each) => this.#still(run, each, picture)));
  }

  destroy(): void {
    for (const painter of this.#painters) painter.destroy();
  }

  #still(run: StoryRun, told: ToldScene<Shot>, picture: Picture | null): HTMLElement {
    const { title, text, note } = captionOf(run, told);
    const place = picture && el("div", { class: "run-story-picture", role: "img", "aria-label": title });
    if (place && picture) {
      const painter = new ShotPainter(place, picture);
      painter.show(told.shot, Infinity);
      this.#painters.push(painter);
    }
    return el(
      "figure",
      {},
      place,
      el("figcaption", {}, el("h3", { text: title }), el("p", { text: `${text} ${note}`.trim() })),
    );
  }
}
