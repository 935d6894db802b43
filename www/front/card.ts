// A card of the front: a lab's small picture, its name and what is learned there. The picture plays the lab's
// recording, from the untrained agent to the trained one; on the card of the lab whose run is open it shows that run
// instead.

import { el, watchVisible, write } from "../core/dom";
import { formatInteger } from "../core/format";
import { settingText } from "../core/link";
import { LookBack } from "../core/look-back";
import type { Run } from "../core/run";
import { ShownTest } from "../core/shown-test";
import { reducedMotion } from "../core/theme";
import { ViewLoop } from "../core/view-loop";
import type { LABS } from "../generated/labs";
import { smallPictureOf } from "../labs/pictures";
import { reachedWords, standingWords } from "../ui/goal-words";
import { LivePainter } from "../ui/small-picture/painter";
import type { Picture } from "../ui/small-picture/picture";
import { liveWords, recordingWords } from "../ui/small-picture/picture-words";
import { readRecording, type Recording } from "../ui/small-picture/recording";
import { RecordingPlayer } from "../ui/small-picture/recording-player";
import type { Ticker } from "../ui/small-picture/ticker";

export type ListedLab = (typeof LABS)[number];

export class FrontCard {
  readonly element: HTMLElement;
  #caption = el("p", { class: "front-card-caption num" });
  #state = el("span", { class: "front-card-state num" });
  #player: RecordingPlayer | LivePlayer | null = null;
  #cleanups: (() => void)[] = [];

  constructor(
    readonly lab: ListedLab,
    run: Run,
    saved: Promise<number | null>,
    ticker: Ticker,
    /** Begins the recording at this many seconds, so that the cards do not all change at once. */
    begin: number,
  ) {
    const { id, title, tagline } = lab;
    const small = smallPictureOf(id); // a lab without one has a card with words only
    const shown = small && { picture: small.picture, recording: readRecording(small.recording) };
    const isOpen = run.open && run.lab?.about.id === id;
    const link = el("a", { class: "front-card-link", href: `#/${id}`, "aria-describedby": `front-${id}`, text: title });
    this.element = el(
      "li",
      { class: "front-card" },
      shown && this.#pictureElement(shown, isOpen ? run : null, ticker, begin),
      shown && this.#caption,
      el("h2", {}, link),
      el("p", { class: "front-card-words", id: `front-${id}`, text: tagline }),
      this.#state,
    );
    if (isOpen) this.#showOpenRun(run);
    else void this.#offerSavedRun(saved, link, shown?.recording);
  }

  /** Draws the picture anew, still or at its present position. */
  draw(): void {
    this.#player?.draw();
  }

  /** Whether the visitor has paused the pictures. */
  set paused(paused: boolean) {
    if (this.#player instanceof LivePlayer) this.#player.paused = paused;
  }

  destroy(): void {
    for (const cleanup of this.#cleanups) cleanup();
  }

  #pictureElement(
    { picture, recording }: { picture: Picture; recording: Recording },
    openRun: Run | null,
    ticker: Ticker,
    begin: number,
  ): HTMLElement {
    if (openRun && picture.draws?.(openRun.settings) === false) {
      return el(
        "div",
        { class: "front-card-picture" },
        el("p", { class: "quiet", text: "There is no small picture of this world. Open the lab to see it." }),
      );
    }
    const words = openRun ? liveWords("Your run", picture, openRun.settings) : recordingWords(picture);
    const element = el("div", { class: "front-card-picture", role: "img", "aria-label": words });
    const player = openRun
      ? new LivePlayer(element, picture, openRun)
      : new RecordingPlayer(element, picture, recording, this.#caption, begin);
    this.#player = player;
    this.#cleanups.push(
      watchVisible(element, (inSight) => {
        ticker.setInSight(player, inSight);
        if (player instanceof LivePlayer) player.inSight = inSight;
      }),
      () => player.destroy(),
    );
    return element;
  }

  /** Says how far the open run has come. */
  #showOpenRun(run: Run): void {
    const unit = run.lab?.about.unit ?? "";
    const shown = new ShownTest(run, new LookBack(run));
    const showProgress = () => {
      const { running, units } = run.progress;
      const activity = running ? "learning now" : "paused";
      write(this.#caption, `Your run: ${unit} ${formatInteger(units)}, ${activity}`);
    };
    const showStanding = () => {
      const words = standingWords(shown.standing, shown.test);
      write(this.#state, words && `${words}. ${reachedWords(unit, run.progress.solvedAt ?? 0)}`);
    };
    this.#cleanups.push(run.on("progress", showProgress), shown.on("changed", showStanding), () => shown.destroy());
    showProgress();
    showStanding();
  }

  /**
   * Offers to continue the lab's saved run, of which `saved` is the number of units. Without one, the link leads to the
   * run that was recorded.
   */
  async #offerSavedRun(
    saved: Promise<number | null>,
    link: HTMLAnchorElement,
    recording: Recording | undefined,
  ): Promise<void> {
    const units = await saved;
    if (units && recording) write(this.#state, `Your saved run: continue at ${recording.unit} ${formatInteger(units)}`);
    else if (units === null && recording && Object.keys(recording.settings).length > 0) {
      // Writes the link as `writeLink` does. That function cannot be used, because it needs the lab's texts, which are
      // not loaded here.
      const settings = Object.entries(recording.settings).map(([name, value]) => [name, settingText(value)]);
      link.href = `#/${this.lab.id}?${new URLSearchParams([["seed", String(recording.seed)], ...settings])}`;
    }
  }
}

/** Shows the open run. */
class LivePlayer extends LivePainter {
  #inSight = true;
  #paused = false;
  #loop: ViewLoop;

  constructor(parent: Element, picture: Picture, run: Run) {
    super(parent, picture);
    this.#loop = new ViewLoop(run, (view) => {
      if (!this.hasFrame || !reducedMotion()) this.show(view); // one still picture is enough
    });
  }

  /** While it is out of sight or paused, no views are requested. */
  set inSight(inSight: boolean) {
    this.#inSight = inSight;
    this.#request();
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    this.#request();
  }

  #request(): void {
    this.#loop.visible = this.#inSight && !this.#paused;
  }

  override destroy(): void {
    this.#loop.stop();
    super.destroy();
  }
}
