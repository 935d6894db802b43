// Leads from an address to what it asks for: the front, the open run, the run that the browser has saved, or a new one.

import type { Autosave } from "./core/autosave";
import { readHeader } from "./core/checkpoint";
import { formatCount, sentence } from "./core/format";
import { libraryOf, MIN_UNITS_TO_KEEP, savedUnits } from "./core/library";
import { readLink, sameRun, type RunRequest } from "./core/link";
import type { Offline } from "./core/offline";
import { startOf } from "./core/recipe";
import type { SavedRun } from "./core/store";
import type { ClassScreen } from "./class/class";
import type { PupilContext } from "./class/pupil";
import type { Front } from "./front/front";
import { LABS } from "./generated/labs";
import type { LabInfo } from "./generated/protocol";
import type { KeptRuns } from "./kept-runs";
import type { Lessons } from "./lessons/open";
import type { MoveContext } from "./move-run";
import type { Runs } from "./runs";
import type { Trouble } from "./trouble";
import type { Notices } from "./ui/notices";
import type { LabSwitcher } from "./ui/switcher";
import type { Workers } from "./workers";

/** The parts of the page that `Navigation` uses, beside those that moving a run to another device uses. */
export interface NavigationContext extends MoveContext, PupilContext {
  autosave: Pick<Autosave, "ownsLab">;
  kept: Pick<KeptRuns, "goBackTo" | "openRunId" | "tellEarlier">;
  notices: Notices;
  readonly labScreen: { showWaiting: () => void } | null;
  runs: Runs;
  switcher: LabSwitcher;
  trouble: Pick<Trouble, "retrying" | "showMissingPart">;
  workers: Workers;
  keepOffline: () => void;
  loadOffline: () => Promise<Offline>;
  show: (screen: Front | Lessons | ClassScreen) => void;
  showLab: (lab: LabInfo) => Promise<void>;
  showLink: () => void;
}

/** The addresses of lessons. */
const LESSONS = /^#\/?lessons?(?![\w-])/;
/** The addresses of a class. */
const CLASS = /^#\/?class(?![\w-])/;

export class Navigation {
  /** Counts navigations. A navigation that is still loading is dropped when the next begins. */
  #count = 0;

  constructor(readonly page: NavigationContext) {
    // A run that is opened meanwhile replaces the address, so the address in the event is used.
    addEventListener("hashchange", ({ newURL }) => void this.route(new URL(newURL).hash));
  }

  /** Shows what the address asks for. */
  async route(hash = location.hash): Promise<void> {
    const { trouble, workers } = this.page;
    const navigation = ++this.#count;
    workers.dropIncoming();
    try {
      await this.#follow(hash, navigation);
      if (this.isCurrent(navigation)) trouble.retrying = false;
    } catch (error) {
      if (this.isCurrent(navigation)) await trouble.showMissingPart(hash, error as Error);
    }
  }

  /** The number of the last navigation. */
  get number(): number {
    return this.#count;
  }

  /** True if no later navigation has begun. */
  isCurrent(navigation: number): boolean {
    return navigation === this.#count;
  }

  /** Shows what the address `hash` asks for. Throws if a part of the page cannot be loaded. */
  async #follow(hash: string, navigation: number): Promise<void> {
    const { page } = this;
    const { run, runs, workers } = page;
    if (LESSONS.test(hash)) {
      const lessons = import("./lessons/open").then(({ openLessons }) => openLessons(hash, page.run));
      return this.#showTitled(lessons, navigation);
    }
    if (CLASS.test(hash))
      return this.#showTitled(
        import("./open-class").then(({ openClass }) => openClass(page, hash)),
        navigation,
      );
    const { request, problems } = await readLink(hash, LABS);
    if (!this.isCurrent(navigation)) return;
    page.notices.enter(request?.lab.about.id ?? null);
    // That what the link hid is lost is said when the lab is shown.
    const untold = problems.filter((problem) => problem !== request?.lost);
    if (untold.length > 0) page.notices.show("link", sentence(untold.join(". ")), [], { tone: "wrong" });
    runs.request = request;
    // A moment whose replay goes on stays: the visitor may come back to it.
    if (!runs.replay) runs.moment = null;
    // If this module cannot be loaded, the link is followed without its sender's picture.
    if (request?.moment)
      await import("./moments-of-links").then(
        ({ openMoment }) => openMoment(page, request),
        () => {},
      );
    if (!this.isCurrent(navigation)) return;
    page.switcher.mark(request?.lab.about.id);
    if (!request) return this.#showFront(navigation);
    const labIsOpen = run.open && run.lab?.about.id === request.lab.about.id;
    // A link that names a unit asks for the run from its start up to that unit, so the open run does not do.
    const isOpenRun = labIsOpen && sameRun(request.lab, run.origin(), request) && request.units === null;
    if (labIsOpen && (isOpenRun || !request.explicit)) {
      await page.showLab(request.lab);
      page.labScreen?.showWaiting();
      page.showLink();
      if (request.device) await workers.moveRun(request.device);
      return;
    }
    if (request.device) workers.chooseDevice(request.device);
    await workers.withWorkerFor(request.lab, request.settings, () => void this.#open(request));
  }

  /** Shows a screen of a lesson or a class, which gives the page its title. */
  async #showTitled(loaded: Promise<Lessons | ClassScreen>, navigation: number): Promise<void> {
    const { page } = this;
    const screen = await loaded;
    if (!this.isCurrent(navigation)) return screen.destroy();
    page.notices.enter(null);
    page.runs.request = null;
    page.switcher.mark(undefined);
    page.show(screen);
    document.title = `${screen.title} · Learnery`;
  }

  async #showFront(navigation: number): Promise<void> {
    const { page } = this;
    // The front is loaded on demand, because a link leads straight to a lab.
    const { Front } = await import("./front/front");
    if (!this.isCurrent(navigation)) return;
    const saved = LABS.map(({ id }) => savedUnits(id));
    page.show(new Front(LABS, page.run, saved, () => page.loadOffline()));
    document.title = "Learnery";
    // A first visit keeps nothing on the device before a lab has been chosen. A visitor with a saved run has chosen
    // one, so what is new of the site is fetched.
    void Promise.all(saved).then((units) => units.some((each) => each !== null) && page.keepOffline());
  }

  /** Continues the lab's saved run, or starts a new one if the link asks for another run. */
  async #open(request: RunRequest): Promise<void> {
    const { page } = this;
    const { kept, runs } = page;
    const { lab } = request;
    const library = libraryOf(lab);
    let saved: SavedRun | null = null;
    if (await page.autosave.ownsLab(lab.about.id)) {
      await library.adoptOldSlots().catch(() => {}); // They stay, and are adopted another time.
      saved = await library.loadLatest();
    }
    if (request !== runs.request) return; // Another run was asked for meanwhile.
    const header = saved && readHeader(saved.bytes);
    if (!saved || !header) {
      await runs.start(request);
      return;
    }
    const origin = startOf(header.config, header.seed, header.changes);
    const isSavedRun = sameRun(request.lab, origin, request) && request.units === null;
    if (!request.explicit || isSavedRun) {
      await runs.resume(request.lab, saved, request);
      return;
    }
    const earlier = saved.note?.id;
    const replaced = kept.openRunId;
    await runs.start(request);
    if (!earlier || earlier === replaced) return; // the open run has just been kept
    if (header.units < MIN_UNITS_TO_KEEP) return library.discardIfShort(earlier);
    if (request !== runs.request) return; // Another run was asked for meanwhile.
    kept.tellEarlier(earlier, replaced, () => {
      page.notices.show(
        "earlier",
        `This link started a new run. Your earlier one (seed ${origin.seed}, ${formatCount(header.units, lab.about.unit)}) is saved.`,
        [{ label: "Continue the earlier run", run: () => void kept.goBackTo(lab, earlier) }],
        { stays: true, lab: lab.about.id },
      );
    });
  }
}
