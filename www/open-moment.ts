// Opens what a link carries of its sender's picture (a "moment"). It is shown while the lab loads and while the run
// behind it is repeated: as a recording or, where the link has one, with a copy of the sender's agent. As soon as the
// replay has reached the sender's unit, the picture of the open run takes its place.

import { readMoment, type LinkMoment } from "./core/moment-link";
import type { RunRequest } from "./core/link";
import type { LookBack } from "./core/look-back";
import type { Replay, ReplayEnd } from "./core/replay";
import type { Run } from "./core/run";
import type { LabInfo } from "./generated/protocol";
import { loadLabMoment } from "./labs/moments";
import { loadSmallPicture } from "./labs/small-picture";
import { MomentCopy } from "./moment-copy";
import type { LabMoment } from "./ui/lab-moment";
import { MomentLine, RECORDED_WORDS, REPLAY_WORDS } from "./ui/moment-line";
import type { Introduction } from "./ui/introduction";
import { MomentPicture } from "./ui/moment-picture";
import { senderIntroduction } from "./ui/moment-words";
import type { Notices } from "./ui/notices";
import type { PicturePlace } from "./ui/past-picture";
import type { Picture } from "./ui/small-picture/picture";

/** The screen on which a moment is shown. */
export interface MomentScreen {
  lab: LabInfo;
  lookBack: LookBack;
  picturePlace: PicturePlace;
  showWhenOpen: (text: string | null) => void;
  showWaiting: () => void;
  /** Says this in the place of the run's story and score; null ends that. */
  showSender: (sender: Introduction | null) => void;
}

/** The parts of the page that a moment uses. */
export interface MomentContext {
  run: Run;
  notices: Notices;
  runs: {
    moment: OpenMoment | null;
    readonly request: RunRequest | null;
    start: (request: RunRequest) => Promise<void>;
  };
}

export type OpenMomentArguments = [page: MomentContext, request: RunRequest];

const NOT_DRAWABLE = "The sender's picture in this link is none of this lab, so only the run is replayed.";

/** Opens the moment of a link as `runs.moment`. One that cannot be read or drawn is left out, and a notice says why. */
export async function openMoment(...[page, request]: OpenMomentArguments): Promise<void> {
  const { lab, moment: packed } = request;
  if (packed === null) return;
  const refuse = (problem: string) => {
    request.moment = null;
    if (request !== page.runs.request) return; // the visitor has left the link
    page.notices.show("moment", problem, [], { tone: "wrong" });
  };
  const moment = await readMoment(packed, request, refuse);
  const [small, labMoment] = await Promise.all([loadSmallPicture(lab.about.id), loadLabMoment(lab.about.id)]);
  if (request !== page.runs.request || !moment) return;
  if (moment.clip && !labMoment?.isDrawable(moment.clip)) return refuse(NOT_DRAWABLE);
  const picture = small && (labMoment?.picture?.(small.picture) ?? small.picture);
  page.runs.moment = new OpenMoment(page, request, { ...moment, packed }, picture, labMoment);
}

/** The moment of a link that is open, from the loading of its lab to the end of the replay behind it. */
export class OpenMoment {
  #line: MomentLine;
  #shown: { screen: MomentScreen; picture: MomentPicture; stop: () => void } | null = null;
  #copy: MomentCopy | null = null;
  #ended = false;
  #replay: Replay | null = null;

  /** `moment.packed` is its text in the link. `picture` draws the lab in small; null if the lab has no such picture. */
  constructor(
    readonly page: MomentContext,
    readonly request: RunRequest,
    readonly moment: LinkMoment & { packed: string },
    readonly picture: Picture | null,
    readonly labMoment: LabMoment | null,
  ) {
    this.#line = new MomentLine(request.lab.about.unit, moment, {
      watch: (watches) => this.#watch(watches),
      afresh: () => this.#startAfresh(),
    });
  }

  /** The line that tells of the moment and of the replay behind it. */
  get element(): HTMLElement {
    return this.#line.element;
  }

  /** Whether the replay behind it has not ended yet. */
  get isPending(): boolean {
    return !this.#ended;
  }

  /** What the address needs so that a reload shows the moment again. */
  get linkPart(): string {
    const { show } = this.request;
    if (this.#ended) return "";
    return `${show === null ? "" : `&show=${encodeURIComponent(show)}`}&moment=${this.moment.packed}`;
  }

  /** The picture, to be shown while the lab loads. */
  card(): MomentPicture {
    return new MomentPicture(this.request.lab, this.moment, this.picture, this.labMoment?.words);
  }

  /** Shows the picture in the place of the open run's, until the replay has arrived. */
  place(screen: MomentScreen): void {
    if (this.#ended || this.#shown?.screen === screen || screen.lab !== this.request.lab) return;
    this.#takeAway();
    const picture = this.card();
    // Whoever looks back with the timeline looks at the replay, so the recording goes.
    const stop = screen.lookBack.on("changed", (unit) => {
      if (unit === null) return;
      this.#takeAway();
      this.#line.say(REPLAY_WORDS);
    });
    this.#shown = { screen, picture, stop };
    this.#line.say(RECORDED_WORDS);
    screen.picturePlace.element.append(picture.element);
    hidePresent(screen, true);
    screen.showSender(senderIntroduction(screen.lab, this.moment));
    picture.element.scrollIntoView({ block: "nearest" }); // in a narrow window much stands above it
    if (this.#replay) void this.#showCopy(); // the run was open before the screen
  }

  /** Follows the replay behind it. */
  follow(replay: Replay): void {
    this.#replay = replay;
    this.#line.follow(replay, () => this.page.run.bundle.bits, this.request.hide);
    this.#shown?.picture.element.scrollIntoView({ block: "nearest" }); // the line is above it now
    replay.on("ended", (end) => this.#end(end));
    void this.#showCopy();
  }

  #end(end: ReplayEnd): void {
    const screen = this.#shown?.screen;
    this.#ended = true;
    this.#takeAway();
    const { show } = this.request;
    this.request.show = null;
    if (!screen || end.kind === "left") return;
    screen.showWhenOpen(show);
    screen.showWaiting();
  }

  /** Shows a copy of the agent in the place of the recording, if the link has one. */
  async #showCopy(): Promise<void> {
    const copy = this.labMoment?.copy;
    const { agent } = this.moment;
    if (!copy || !agent || !this.#shown) return;
    const made = (this.#copy = new MomentCopy(this.page.run, this.request, copy, agent));
    const isMade = await made.make();
    const { screen, picture } = this.#shown ?? {};
    if (!screen || !isMade || this.#copy !== made) return made.close();
    made.show(screen.picturePlace, () => {
      if (picture) picture.element.hidden = true;
      this.#line.say(`You see ${copy.words}. ${copy.remark} Your browser replays the run behind it to check it.`);
    });
  }

  /** Shows the replay if `watches`, otherwise the recording again. */
  #watch(watches: boolean): void {
    if (!this.#shown) return;
    const { screen, picture } = this.#shown;
    this.#copy?.close();
    this.#copy = null;
    this.#line.say(watches ? REPLAY_WORDS : RECORDED_WORDS);
    picture.element.hidden = watches;
    hidePresent(screen, !watches);
    screen.showSender(watches ? null : senderIntroduction(screen.lab, this.moment));
  }

  /** Starts a new run from the beginning of the link's run, with only the data that it was given at its start. */
  #startAfresh(): void {
    const { request, page } = this;
    const changes = request.changes.filter(({ unit, data }) => unit === 0 && data !== null);
    this.#replay?.stop();
    void page.runs.start({ ...request, changes, units: null, bits: null, moment: null, show: null, story: false });
  }

  #takeAway(): void {
    this.#copy?.close();
    this.#copy = null;
    if (!this.#shown) return;
    const { screen, picture, stop } = this.#shown;
    this.#shown = null;
    stop();
    picture.destroy();
    hidePresent(screen, false);
    screen.showSender(null);
  }
}

/** Hides the picture of the open run, or shows it again. */
function hidePresent({ lookBack, picturePlace }: MomentScreen, hidden: boolean): void {
  // Whoever looks back sees an earlier unit in its place. The timeline shows the picture again when that ends.
  if (hidden || lookBack.unit === null) picturePlace.hidePresent(hidden);
}
