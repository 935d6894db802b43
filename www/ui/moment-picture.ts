// What the sender of a link saw, as the link carries it: the last pictures of the stage, drawn as small as on the front
// or as large as there is room, with the headline and its curve. It is shown until the run behind it has been repeated.

import { el, watchVisible } from "../core/dom";
import type { LinkMoment, MomentClip } from "../core/moment-link";
import { reducedMotion } from "../core/theme";
import type { LabInfo } from "../generated/protocol";
import { momentWords } from "./moment-words";
import { Painter } from "./small-picture/painter";
import type { Picture } from "./small-picture/picture";
import { frameCount } from "./small-picture/recording";
import { Ticker } from "./small-picture/ticker";
import { sparkline } from "./sparkline";
import "../style/moment.css";

export class MomentPicture {
  readonly element: HTMLElement;
  #painter: MomentPainter | null = null;
  #ticker = new Ticker(() => this.#painter?.draw());
  #unwatch = (): void => {};

  /** `picture` is how the moment is drawn; null if it cannot be. `wordsOf` says what a frame shows. */
  constructor(lab: LabInfo, moment: LinkMoment, picture: Picture | null, wordsOf?: (frame: Uint8Array) => string) {
    const { headline, clip } = moment;
    const seen = (clip && wordsOf?.(clip.bytes.slice(-clip.frameSize))) ?? picture?.words ?? lab.about.title;
    const label = `What the sender of this link saw: ${seen}`;
    const box = clip && picture && el("div", { class: "moment-box", role: "img", "aria-label": label });
    const words = momentWords(lab, moment);
    const isCurve = headline !== null && headline.curve.values.length > 1;
    this.element = el(
      "div",
      { class: "moment-picture" },
      el("p", { class: "moment-sign", text: "Recorded by the sender" }),
      box,
      el(
        "div",
        { class: "moment-facts" },
        el("p", { class: "quiet num", text: words }),
        isCurve && sparkline({ curve: { ...headline.curve, metric: headline.metric }, goal: null }),
      ),
    );
    if (!box) return;
    const painter = (this.#painter = new MomentPainter(box, picture, clip));
    if (painter.isMoving) this.#unwatch = watchVisible(box, (inSight) => this.#ticker.setInSight(painter, inSight));
  }

  destroy(): void {
    this.#unwatch();
    this.#ticker.destroy();
    this.#painter?.destroy();
    this.element.remove();
  }
}

/** How long the moment itself is shown before the pictures that led to it, in seconds. */
const REST_SECONDS = 2;

/** Draws the last pictures again and again, beginning with the very last one. */
class MomentPainter extends Painter {
  constructor(
    parent: Element,
    picture: Picture,
    readonly clip: MomentClip,
  ) {
    super(parent, picture);
    this.draw();
  }

  /** Whether there is more than one picture. A text is one, with a frame for each character. */
  get isMoving(): boolean {
    return frameCount(this.clip) > 1 && !this.picture.text;
  }

  draw(): void {
    const { clip } = this;
    const last = frameCount(clip) - 1;
    const seconds = this.elapsed % (REST_SECONDS + last / clip.rate);
    const isStill = !this.isMoving || reducedMotion() || seconds < REST_SECONDS;
    this.drawFrame(clip, isStill ? last : (seconds - REST_SECONDS) * clip.rate);
  }
}
