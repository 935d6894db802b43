// What the sender of a link saw, as the link carries it: the last pictures of the stage, drawn as small as on the front or
// as large as there is room, with the headline and its curve. It is shown until the run behind it has been repeated.

import { el, watchVisible } from "../core/dom";
import { formatNumber, withUnit } from "../core/format";
import type { LinkMoment } from "../core/moment-link";
import type { LabInfo } from "../generated/protocol";
import type { Picture } from "./small-picture/picture";
import { frameCount } from "./small-picture/recording";
import { RecordingPlayer } from "./small-picture/recording-player";
import { Ticker } from "./small-picture/ticker";
import { sparkline } from "./sparkline";
import "../style/moment.css";

export class MomentPicture {
  readonly element: HTMLElement;
  #player: RecordingPlayer | null = null;
  #ticker = new Ticker(() => this.#player?.draw());
  #unwatch = (): void => {};

  /** `picture` is how the lab is drawn in small; null if it cannot be. */
  constructor(lab: LabInfo, moment: LinkMoment, picture: Picture | null) {
    const caption = el("p", { class: "quiet num" });
    const { headline, clip } = moment;
    const score = headlineWords(lab, moment);
    const label = `What the sender of this link saw: ${picture?.words ?? lab.about.title}`;
    const box = el("div", { class: "moment-box", role: "img", "aria-label": label });
    const curve =
      headline && headline.curve.values.length > 1
        ? sparkline({ curve: { ...headline.curve, metric: headline.metric }, goal: null })
        : null;
    this.element = el(
      "div",
      { class: "moment-picture" },
      el("p", { class: "moment-sign", text: "Recorded by the sender" }),
      clip && picture && box,
      el("div", { class: "moment-facts" }, caption, curve),
    );
    if (!clip || !picture) {
      caption.textContent = `${momentWords(lab, moment)}${score && `: ${score}`}`;
      return;
    }
    const recording = {
      ...{ lab: lab.about.id, seed: 0, settings: {}, unit: lab.about.unit, rate: clip.rate },
      moments: [
        { unit: moment.unit, score: score || "not measured yet", bytes: clip.bytes, frameSize: clip.frameSize },
      ],
    };
    // It begins at its end, which is the moment itself.
    const end = (frameCount(clip) - 1) / clip.rate + BEGIN_AFTER_SECONDS;
    const player = (this.#player = new RecordingPlayer(box, picture, recording, caption, end));
    this.#unwatch = watchVisible(box, (inSight) => this.#ticker.setInSight(player, inSight));
  }

  destroy(): void {
    this.#unwatch();
    this.#ticker.destroy();
    this.#player?.destroy();
    this.element.remove();
  }
}

/** The picture has faded in by then. */
const BEGIN_AFTER_SECONDS = 0.4;

/** “Iteration 40”. */
function momentWords({ about }: LabInfo, { unit }: LinkMoment): string {
  return `${about.unit.charAt(0).toUpperCase()}${about.unit.slice(1)} ${unit}`;
}

/** The headline with its name, such as “correct cells 99.8%”; empty if it had not been measured. */
export function headlineWords(lab: LabInfo, moment: LinkMoment): string {
  const { name, value } = headlineParts(lab, moment);
  return value && `${name} ${value}`;
}

/** The name of the headline's metric, and its value with the unit; both empty if it had not been measured. */
export function headlineParts({ about }: LabInfo, { headline }: LinkMoment): { name: string; value: string } {
  const spec = about.metrics.find(({ name }) => name === headline?.metric);
  if (!headline || !spec) return { name: "", value: "" };
  return { name: spec.label, value: withUnit(formatNumber(headline.value, 4, spec.unit), spec.unit) };
}
