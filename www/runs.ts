// Opens runs in a worker that is ready: starts new ones, continues saved ones, and repeats those of links with changes
// and of recipe files.

import type { Autosave } from "./core/autosave";
import type { Device } from "./core/bundle";
import { readHeader } from "./core/checkpoint";
import { formatAge } from "./core/format";
import { defaultRequest, type HiddenPart, type RunRequest } from "./core/link";
import type { Replay } from "./core/replay";
import type { Run } from "./core/run";
import type { StopAtGoal } from "./core/stop-at-goal";
import type { SavedRun } from "./core/store";
import type { Settings } from "./core/values";
import type { JsonValue, LabInfo } from "./generated/protocol";
import type { KeptRuns } from "./kept-runs";
import type { MomentScreen, OpenMoment } from "./open-moment";
import type { Notices } from "./ui/notices";

/** The parts of the page that `Runs` uses. */
export interface RunsContext {
  run: Run;
  autosave: Pick<Autosave, "save">;
  kept: Pick<KeptRuns, "keepOpenRun">;
  notices: Notices;
  readonly labScreen:
    ({ showReplay: (line: HTMLElement) => void; tellStory: (remark: string) => void } & MomentScreen) | null;
  trouble: { showMissingPart: (hash: string, error: Error) => Promise<void> };
  workers: {
    chooseDevice: (device: Device) => void;
    isReadyFor: (lab: LabInfo, settings: Settings) => boolean;
    withWorkerFor: (lab: LabInfo, settings: Settings, next: () => void) => Promise<void>;
  };
  loadMoments: () => Promise<unknown>;
  stopAtGoal: Pick<StopAtGoal, "resume" | "staysStopped">;
  showLab: (lab: LabInfo) => Promise<void>;
  showLink: () => void;
}

export class Runs {
  /** The run that was asked for last, by a link or by the visitor; null for the front or a saved run. */
  request: RunRequest | null = null;
  /** The replay of a link or a recipe file while it is under way; null otherwise. */
  replay: Replay | null = null;
  /** What the link of `request` carries of its sender's picture; null if it carries nothing. */
  moment: OpenMoment | null = null;
  /** The line that tells of the last replay. */
  #replayLine: HTMLElement | null = null;

  constructor(readonly page: RunsContext) {
    const { run } = page;
    run.on("opened", () => {
      if (!this.replay) this.#replayLine?.remove(); // it tells of another run
    });
    run.on("refused", ({ request }) => {
      if (run.lab || !this.request) return;
      // If a saved run or a link cannot be opened, the page still shows a run.
      if (request === "resume") void this.start(this.request);
      if (request === "start") void this.start(defaultRequest(this.request.lab));
    });
  }

  /** Starts a new run. The open one is kept in the library. */
  async start(request: RunRequest): Promise<void> {
    const { page } = this;
    this.request = request;
    if (this.moment?.request !== request) this.moment = null;
    // The worker that is there may have the wrong program: it was chosen before it was known which run is opened.
    if (!page.workers.isReadyFor(request.lab, request.settings))
      return page.workers.withWorkerFor(request.lab, request.settings, () => void this.start(request));
    let whenOpen = () => page.run.play();
    if (request.units !== null || request.changes.length > 0) {
      const replay = await this.#loadReplay(request).catch((error: unknown) => error as Error);
      if (request !== this.request) return; // another run was asked for meanwhile
      if (replay instanceof Error) return page.trouble.showMissingPart(location.hash, replay);
      whenOpen = replay;
    }
    void page.kept.keepOpenRun({ tell: "A new run has started." });
    page.run.start(request.lab, request.settings, request.seed).then(whenOpen, () => {}); // the page shows why
    await page.showLab(request.lab);
  }

  /**
   * Starts a new run with these settings and this seed, in the lab that is shown. `data` is a command that gives it
   * data of the visitor's own before its first unit; null for none.
   */
  async restart(lab: LabInfo, settings: Settings, seed: number, data: JsonValue | null = null): Promise<void> {
    const request = this.newRequest(lab, settings, seed, data);
    await this.page.workers.withWorkerFor(lab, settings, () => void this.start(request));
  }

  /**
   * A request for a new run with these settings, this seed and these data. The link's challenge stays, and what it
   * hides.
   */
  newRequest(lab: LabInfo, settings: Settings, seed: number, data: JsonValue | null = null): RunRequest {
    const changes = data === null ? [] : [{ unit: 0, settings: {}, seed: null, data }];
    const challenge = this.challenge(lab);
    const hide = this.hidden(lab);
    return { ...defaultRequest(lab), settings: { ...settings }, seed, changes, challenge, hide, explicit: true };
  }

  /** The challenge of the last link, as it stands there; null if there is none for this lab. */
  challenge(lab: LabInfo): string | null {
    return this.request?.lab === lab ? this.request.challenge : null;
  }

  /** The part of this lab's view that the last link hides; null for none. */
  hidden(lab: LabInfo): HiddenPart | null {
    return this.request?.lab === lab ? this.request.hide : null;
  }

  /** What the last link asks this lab's view to show; null for nothing. It is handed out once. */
  takeShown(lab: LabInfo): string | null {
    if (this.request?.lab !== lab || this.moment?.isPending) return null;
    const { show } = this.request;
    this.request.show = null;
    return show;
  }

  /** Starts the run of a recipe file, and repeats it. */
  async startRecipe(request: RunRequest): Promise<void> {
    const { workers } = this.page;
    this.request = request;
    if (request.device) workers.chooseDevice(request.device);
    await workers.withWorkerFor(request.lab, request.settings, () => void this.start(request));
  }

  /** Continues a saved run, and offers for a while to start anew: with the settings of `request`, or the defaults. */
  async resume(lab: LabInfo, saved: SavedRun, request: RunRequest | null): Promise<void> {
    const { run, notices, stopAtGoal, workers } = this.page;
    this.request = request;
    const { units = 0, config = {} } = readHeader(saved.bytes) ?? {};
    // The worker that is there may have the wrong program: it was chosen before it was known which run is opened.
    if (!workers.isReadyFor(lab, config))
      return workers.withWorkerFor(lab, config, () => void this.resume(lab, saved, request));
    const anew = { ...(request ?? defaultRequest(lab)), units: null, bits: null, show: null };
    const whenOpen = () => {
      const what = stopAtGoal.staysStopped ? "Opened your run at" : "Continued from";
      notices.show(
        "resumed",
        `${what} ${lab.about.unit} ${units}, saved ${formatAge(saved.savedAt)}.`,
        [{ label: "Start a new run", run: () => void this.start(anew) }],
        { lab: lab.about.id },
      );
      stopAtGoal.resume(); // last, because a notice that the run stands at its goal is to be in front
    };
    run.resume(saved.bytes, saved.note).then(whenOpen, () => {}); // the page shows why
    await this.page.showLab(lab);
  }

  /**
   * Loads the module that repeats runs, and returns a function that begins to repeat the run that has just been opened.
   */
  async #loadReplay({ lab, changes, units, bits, story, hide }: RunRequest): Promise<() => void> {
    const [{ Replay }, { ReplayLine, storyRemark }] = await Promise.all([
      import("./core/replay"),
      import("./ui/replay-line"),
    ]);
    const { page } = this;
    return () => {
      const replay = (this.replay = new Replay(page.run, { changes, units, bits }));
      this.#replayLine = (
        this.moment ?? new ReplayLine(replay, lab.about.unit, () => page.run.bundle.bits, hide)
      ).element;
      this.showReplay();
      this.moment?.follow(replay);
      replay.on("ended", (end) => {
        const { kind } = end;
        if (this.replay !== replay) return;
        this.replay = null;
        page.showLink();
        // The module that keeps moments (checkpoints for the timeline) needs this save too, but may not be loaded yet
        // when a short replay ends.
        void page
          .loadMoments()
          .catch(() => {})
          .then(() => page.autosave.save());
        if (units === null && kind === "done") page.run.play();
        if (story && (kind === "done" || kind === "same" || kind === "different"))
          page.labScreen?.tellStory(storyRemark(end, page.run.bundle.bits));
      });
      page.showLink();
      replay.start();
    };
  }

  /** Shows the line of the replay on the lab screen, and the picture that its link carries. */
  showReplay(): void {
    if (this.page.labScreen) this.moment?.place(this.page.labScreen);
    if (this.replay && this.#replayLine) this.page.labScreen?.showReplay(this.#replayLine);
  }
}
