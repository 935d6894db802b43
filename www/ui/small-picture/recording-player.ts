// Plays a lab's recording: on the front, and while a lab loads.

import { write } from "../../core/dom";
import { formatInteger, sentenceStart } from "../../core/format";
import { reducedMotion } from "../../core/theme";
import { Painter } from "./painter";
import type { Picture } from "./picture";
import { shownAt, stillOf } from "./playback";
import type { Recording } from "./recording";

export class RecordingPlayer extends Painter {
  /** Begins the recording at `begin` seconds. `caption` says how far training had come. */
  constructor(
    parent: Element,
    picture: Picture,
    readonly recording: Recording,
    readonly caption: Element,
    begin = 0,
  ) {
    super(parent, picture);
    this.elapsed = begin;
    this.draw();
  }

  draw(): void {
    const { recording } = this;
    const { moment, position, opacity } = reducedMotion() ? stillOf(recording) : shownAt(recording, this.elapsed);
    const score = moment.score || "untrained";
    write(this.caption, `${sentenceStart(recording.unit)} ${formatInteger(moment.unit)}: ${score}`);
    this.drawFrame(moment, position, opacity);
  }
}
