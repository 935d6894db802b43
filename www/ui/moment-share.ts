// The part of “Share and save” that makes a link of the present moment, or of the earlier one that the visitor looks
// at, and a picture of it for chats. A link stands for the moment at which it was made; the run goes on.

import { download } from "../core/checkpoint";
import type { Cleanups } from "../core/cleanups";
import { button, el, write } from "../core/dom";
import { formatInteger, listed, sentenceEnd } from "../core/format";
import type { LookBack } from "../core/look-back";
import type { Run } from "../core/run";
import type { StopAtGoal } from "../core/stop-at-goal";
import type { LabInfo } from "../generated/protocol";
import { copyRow, copyableField } from "./copy";
import { FrameRecorder } from "./moment-frames";
import type { HeadlineView } from "./headline";
import type { LabMoment } from "./lab-moment";
import { makeMoment, NoMoment, seenMoment, type MadeMoment, type MomentSource } from "./moment-maker";
import type { Picture, SmallPicture } from "./small-picture/picture";
import "../style/moment.css";

export interface MomentShareActions {
  /** How the lab is drawn in small; null if it cannot be. */
  loadSmallPicture: () => Promise<SmallPicture | null>;
  /** What a link can carry of the lab; null for nothing. */
  loadMoment: () => Promise<LabMoment | null>;
  stopAtGoal: Pick<StopAtGoal, "resume">;
}

/** The screen whose moments are linked to. */
export interface MomentShareScreen {
  lab: LabInfo;
  run: Run;
  view: HeadlineView | null;
  lookBack: LookBack;
  cleanups: Cleanups;
  actions: MomentShareActions;
}

/** What a moment is made with. */
interface LoadedParts {
  picture: Picture;
  own: LabMoment;
  /** Keeps pictures of the stage since it was loaded. */
  recorder: FrameRecorder;
}

export class MomentShare {
  readonly element: HTMLElement;
  #field = copyableField("share-moment", "Link to this moment");
  #row = copyRow(this.#field);
  /** How long the link is and what it holds. */
  #holds = el("p", { class: "quiet small" });
  #message = el("p", { class: "quiet small", role: "status" });
  #make = button("Make a link to this moment", () => void this.#work("Making the link …", () => this.#link()));
  #save = button("Save a picture for chats", () => void this.#work("Making the picture …", () => this.#savePicture()), {
    title: "The moment as a picture (PNG) of 1200 x 630 pixels, to be sent beside the link",
  });
  #loaded: Promise<LoadedParts | null>;
  #made: MadeMoment | null = null;

  constructor(readonly screen: MomentShareScreen) {
    const { lab, cleanups, lookBack } = screen;
    this.#row.hidden = true;
    this.element = el(
      "div",
      { class: "share-moment" },
      el("p", { class: "label", text: "Link to this moment" }),
      el("p", {
        class: "quiet small",
        text: `Opens at once on what you see now. Behind it, the other browser replays the run up to this ${lab.about.unit}, and says whether it comes to exactly the same result.`,
      }),
      el("p", { class: "row" }, this.#make, this.#save),
      this.#row,
      this.#holds,
      this.#message,
    );
    this.#loaded = this.#load();
    cleanups.add(() => void this.#loaded.then((parts) => parts?.recorder.destroy()));
    cleanups.add(lookBack.on("changed", () => this.#forget()));
    cleanups.add(screen.run.on("opened", () => this.#forget()));
  }

  /** Loads what is needed, and keeps pictures of the stage from then on. Null if the lab's moments cannot be shown. */
  async #load(): Promise<LoadedParts | null> {
    const { actions, run } = this.screen;
    const parts = Promise.all([actions.loadSmallPicture(), actions.loadMoment()]);
    const [small, own] = await parts.catch(() => [null, null] as const);
    if (!small || !own) {
      this.element.hidden = true;
      return null;
    }
    const picture = own.picture?.(small.picture) ?? small.picture;
    const recorder = new FrameRecorder(picture, own);
    recorder.record(run);
    return { picture, own, recorder };
  }

  /**
   * Makes something of the moment that the visitor sees. If it is that of the open run, the run is paused until it is
   * made, also while what is needed arrives: the moment is that of the press. A past run never trains by itself.
   */
  async #ofMoment<Made>(make: (source: MomentSource) => Promise<Made>): Promise<Made> {
    const { lab, run: present, view, lookBack, actions } = this.screen;
    if (lookBack.unit !== null && !lookBack.past)
      throw new NoMoment("The earlier moment is still being computed. Try again when its picture has appeared.");
    const run = lookBack.past ?? present;
    const wasRunning = run.progress.running;
    run.pause();
    try {
      const parts = await this.#loaded;
      if (!parts) throw new NoMoment("A part of the page could not be loaded.");
      const { own, recorder } = parts;
      recorder.record(run);
      return await make({ lab, run, present, view, own, recorder });
    } finally {
      if (wasRunning && run.open) actions.stopAtGoal.resume();
    }
  }

  async #link(): Promise<void> {
    const { lookBack, run } = this.screen;
    if (lookBack.unit !== null && run.device === "gpu")
      throw new NoMoment("Earlier moments of a run on a GPU cannot be replayed, so no link leads to them.");
    const made = (this.#made = await this.#ofMoment(makeMoment));
    this.#field.value = location.origin + location.pathname + made.link;
    this.#row.hidden = false;
    const { about } = this.screen.lab;
    const length = formatInteger(this.#field.value.length);
    const holds = `The link holds ${about.unit} ${made.moment.unit}, with ${listed(made.holds) || "the run"}. It has ${length} characters.`;
    const noRoom = made.leftOut.length > 0 ? [`There was no room for ${listed(made.leftOut)}.`] : [];
    write(this.#holds, [holds, ...noRoom, ...made.cannotHold].join(" "));
    write(this.#message, "The link is ready.");
  }

  async #savePicture(): Promise<void> {
    // If a link was made, the picture is of the link's moment, even if the run has gone on since.
    const made = this.#made ?? (await this.#ofMoment(seenMoment));
    const { chatPicture } = await import("./take-out/chat-picture");
    const { lab } = this.screen;
    const png = await chatPicture(lab, made, (await this.#loaded)?.picture ?? null);
    download(`learnery-${lab.about.id}-${made.moment.unit}-chat.png`, png);
    write(this.#message, `Saved. It shows ${lab.about.unit} ${made.moment.unit}.`);
  }

  /** Says that it does something, does it, and says so if it fails. */
  async #work(words: string, action: () => Promise<void>): Promise<void> {
    const buttons = [this.#make, this.#save];
    for (const each of buttons) each.disabled = true;
    write(this.#message, words);
    try {
      await action();
    } catch (error) {
      const { message } = error as Error;
      write(this.#message, error instanceof NoMoment ? message : `That did not work: ${sentenceEnd(message)}`);
    } finally {
      for (const each of buttons) each.disabled = false;
    }
  }

  /** The visitor sees another moment now, so the link that is shown goes. Copies of it still lead to its own moment. */
  #forget(): void {
    this.#made = null;
    this.#field.value = "";
    this.#row.hidden = true;
    write(this.#holds, "");
    write(this.#message, "");
  }
}
