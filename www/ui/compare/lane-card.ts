// The card of a run that is compared: its letter and colour, what distinguishes it, its live picture, and how far it
// is.

import { el, write } from "../../core/dom";
import type { Comparison, Lane } from "../../core/compare/comparison";
import { formatDuration, formatInteger, sentenceStart } from "../../core/format";
import { liveWords } from "../small-picture/picture-words";
import type { Ticker } from "../small-picture/ticker";
import { icon } from "../icons";
import { LanePicture, type SmallStage } from "./lane-picture";
import { laneLetter } from "./lane-marks";

export class LaneCard {
  readonly element: HTMLElement;
  #title = el("h3", { class: "compare-title" });
  #name = el("p", { class: "quiet small" });
  #place = el("div", { class: "lane-picture-place" });
  #picture: LanePicture | null = null;
  #state = el("p", { class: "compare-state num" });
  #first = el("p", { class: "compare-first", hidden: true });
  #remove: HTMLButtonElement;

  constructor(
    readonly lane: Lane,
    readonly comparison: Comparison,
    readonly ticker: Ticker,
    /** How the lab shows its runs in small; null if it cannot. */
    readonly small: SmallStage | null,
    remove: () => void,
  ) {
    const { place } = lane;
    this.#remove = el("button", { type: "button", class: "compare-remove", title: "Remove", on: { click: remove } });
    this.#remove.append(icon("close"));
    this.element = el(
      "li",
      { class: `compare-lane lane-${place + 1}` },
      el(
        "div",
        { class: "compare-lane-head" },
        el("span", { class: "compare-letter", "aria-hidden": "true", text: laneLetter(place) }),
        el("div", { class: "compare-names" }, this.#title, this.#name),
        this.#remove,
      ),
      this.#place,
      this.#first,
      this.#state,
    );
  }

  /** Takes over the lane's present run. */
  begin(): void {
    const { lane, comparison, small } = this;
    if (this.#picture?.run === lane.run) return;
    this.#picture?.destroy();
    this.#picture = null;
    if (lane.run && small && small.picture.draws?.(lane.run.settings) !== false) {
      const words = liveWords(`Run ${laneLetter(lane.place)}`, small.picture, lane.run.settings);
      // Beside a run that has the whole processor, the pictures of the others rest.
      const isFrozen = () => comparison.inTurn && comparison.state === "training" && lane.run?.ending !== null;
      this.#picture = new LanePicture(lane.run, small, words, this.ticker, isFrozen);
    }
    this.#place.replaceChildren(...(this.#picture ? [this.#picture.element] : []));
  }

  /** `first` says where it was first to the goal; empty if it was not. */
  draw(title: string, first: string): void {
    const { contender, place } = this.lane;
    const heading = title || contender.title || "Common settings";
    write(this.#title, sentenceStart(heading));
    write(this.#name, heading === contender.title ? "" : contender.title);
    this.#remove.setAttribute("aria-label", `Remove run ${laneLetter(place)}: ${heading}`);
    const failed = this.lane.run?.ending === "failed";
    write(this.#state, this.#stateWords());
    this.#state.classList.toggle("wrong", failed);
    write(this.#first, first);
    this.#first.hidden = first === "";
    this.element.classList.toggle("is-first", first !== "");
  }

  #stateWords(): string {
    const { run } = this.lane;
    const { state, lab } = this.comparison;
    const { unit } = lab.about;
    if (!run) return state === "training" ? "Waits for its turn" : "Has not trained yet";
    if (run.failure !== null) return run.failure;
    if (!run.position) return run.ending === "stopped" ? "Stopped" : "Loading";
    const at = `${sentenceStart(unit)} ${formatInteger(run.position.units)}, ${formatDuration(run.seconds)}`;
    if (run.ending === "goal") return `The test at ${unit} ${formatInteger(run.reached?.units ?? 0)} reached the goal`;
    if (run.ending === "units") return `${at}: the last one`;
    return run.ending === "stopped" ? `${at}: stopped` : at;
  }

  destroy(): void {
    this.#picture?.destroy();
  }
}
