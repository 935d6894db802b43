// The recording that plays while a lab loads. It is loaded only if that takes long.

import { el, watchVisible } from "../../core/dom";
import type { SmallPicture } from "./picture";
import { readRecording } from "./recording";
import { recordingWords } from "./picture-words";
import { RecordingPlayer } from "./recording-player";
import { Ticker } from "./ticker";
import "../../style/loading-recording.css";

export class LoadingRecording {
  readonly element: HTMLElement;
  #player: RecordingPlayer;
  #ticker = new Ticker(() => this.#player.draw());
  #unwatch: () => void;

  constructor({ picture, recording }: SmallPicture) {
    const box = el("div", { class: "loading-picture", role: "img", "aria-label": recordingWords(picture) });
    const caption = el("p", { class: "quiet num" });
    const words = el("p", { text: "A recording of a real run, shown while the lab loads." });
    this.element = el("div", { class: "loading-recording" }, words, box, caption);
    this.#player = new RecordingPlayer(box, picture, readRecording(recording), caption);
    this.#unwatch = watchVisible(box, (inSight) => this.#ticker.setInSight(this.#player, inSight));
  }

  destroy(): void {
    this.#unwatch();
    this.#ticker.destroy();
    this.#player.destroy();
  }
}
