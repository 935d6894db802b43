// What the page says when a worker has failed, or when a part of the page or a lab could not be loaded: a card at the
// place of the lab, with buttons to go on. The run that was open goes on, and a button leads back to it.

import type { Autosave } from "./core/autosave";
import { readHeader } from "./core/checkpoint";
import { formatAge } from "./core/format";
import { isFront, writeLink } from "./core/link";
import { libraryOf } from "./core/library";
import { hostAnswers } from "./core/network";
import { dataLike } from "./core/program";
import type { Run } from "./core/run";
import type { Settings } from "./core/values";
import type { WorkerFailure } from "./core/worker-messages";
import type { LabInfo } from "./generated/protocol";
import type { Runs } from "./runs";
import { FailureCard } from "./ui/cards";
import { MissingCard } from "./ui/missing";
import type { NoticeAction, Notices } from "./ui/notices";

/** The parts of the page that `Trouble` uses. */
export interface TroubleContext {
  run: Run;
  autosave: Pick<Autosave, "finish">;
  notices: Notices;
  readonly labScreen: { cover: (card: FailureCard | MissingCard) => void } | null;
  navigation: { number: number; isCurrent: (navigation: number) => boolean; route: () => Promise<void> };
  runs: Pick<Runs, "newRequest" | "resume" | "start">;
  workers: { replaceWorker: (lab: LabInfo, settings: Settings, next: () => void) => Promise<void> };
  show: (card: FailureCard | MissingCard) => void;
  reloadSaved: () => Promise<void>;
}

export class Trouble {
  /** True while the page tries again to load a part of itself. */
  retrying = false;

  constructor(readonly page: TroubleContext) {}

  /** Shows what went wrong with the worker, or with the loading of a lab. `lab` is the lab of that worker, if known. */
  async showFailure(failure: WorkerFailure, lab: LabInfo | null): Promise<void> {
    const { page } = this;
    const { run } = page;
    const navigation = page.navigation.number;
    const back = this.#wayBack(lab);
    if (failure.kind === "fetch" && !(await hostAnswers())) {
      if (page.navigation.isCurrent(navigation)) this.#showMissing(lab?.about.title ?? "No network", "This lab", back);
      return;
    }
    const saved = lab ? await libraryOf(lab).loadLatest() : null;
    if (!page.navigation.isCurrent(navigation)) return;
    const header = saved && readHeader(saved.bytes);
    const withNewWorker = (settings: Settings, next: () => void) => () =>
      lab && void page.workers.replaceWorker(lab, settings, next);
    const actions: NoticeAction[] = [];
    if (lab && saved && header && header.units > 0) {
      actions.push({
        label: `Go back to ${lab.about.unit} ${header.units}, saved ${formatAge(saved.savedAt)}`,
        run: withNewWorker(header.config, () => void page.runs.resume(lab, saved, null)),
      });
    }
    if (lab && run.lab === lab) {
      const { settings, seed, changes } = run;
      const data = dataLike(changes, lab.about.id, settings);
      const start = withNewWorker(
        settings,
        () => void page.runs.start(page.runs.newRequest(lab, settings, seed, data)),
      );
      actions.push({ label: "Start a new run", run: start });
    } else {
      const again = await this.#again(navigation);
      if (!again) return;
      actions.push(again);
    }
    if (back) actions.push(back);
    this.#showCard(new FailureCard(failure, actions));
  }

  /** Says that a part of the page could not be loaded: the front, or the picture and the texts of a lab. */
  async showMissingPart(hash: string, error: Error): Promise<void> {
    const { page } = this;
    const navigation = page.navigation.number;
    const back = this.#wayBack(null);
    if (!(await hostAnswers())) {
      if (page.navigation.isCurrent(navigation))
        this.#showMissing("No network", isFront(hash) ? "The list of labs" : "This lab", back);
      return;
    }
    const again = await this.#again(navigation);
    if (!again) return;
    const failure: WorkerFailure = { kind: "load", message: error.message };
    this.#showCard(new FailureCard(failure, back ? [again, back] : [again]));
  }

  /**
   * The button to try again. A module that could not be imported stays so until the page is reloaded. The host may also
   * have a newer version of the site, without the files of this one. So the second failure reloads the page, but only
   * if the run is saved; otherwise the visitor decides. Without a network, a page that is reloaded might be gone. Null
   * if the page is reloaded, or something else was asked for.
   */
  async #again(navigation: number): Promise<NoticeAction | null> {
    const { page } = this;
    if (!page.navigation.isCurrent(navigation)) return null;
    const mayReload = this.retrying && (await hostAnswers());
    const reload = mayReload && (await page.autosave.finish());
    if (!page.navigation.isCurrent(navigation)) return null;
    if (reload) {
      location.reload();
      return null;
    }
    return mayReload
      ? { label: "Reload the page", run: () => location.reload() }
      : { label: "Try again", run: this.#retry };
  }

  /** Shows a notice that a part of the page could not be loaded. `part` begins its sentence: "The list of labs". */
  tellMissing(part: string): void {
    const reload = async () => {
      // Without a network, a page that is reloaded would be gone.
      if (await hostAnswers()) void this.page.reloadSaved();
      else this.tellMissing(part);
    };
    const text = `${part} could not be loaded. Check the network connection.`;
    this.page.notices.show("missing", text, [{ label: "Reload the page", run: () => void reload() }], {
      tone: "wrong",
      stays: true,
    });
  }

  #retry = (): void => {
    this.retrying = true;
    void this.page.navigation.route();
  };

  #showMissing(title: string, part: string, back: NoticeAction | null): void {
    // Without an open run the way back is the front, which is kept on the device with every lab.
    const front: NoticeAction = { label: "Show all labs", run: () => (location.hash = "#/labs") };
    this.#showCard(new MissingCard(title, part, this.#retry, back ?? (isFront(location.hash) ? null : front)));
  }

  /** A button that leads back to the open run; null if there is none, or if it is a run of this lab. */
  #wayBack(lab: LabInfo | null): NoticeAction | null {
    const { run } = this.page;
    if (!run.open || !run.lab || run.lab === lab) return null;
    const { settings, seed, changes } = run.origin();
    const link = writeLink(run.lab, settings, seed, null, run.device, { changes });
    return { label: `Back to ${run.lab.about.title}`, run: () => (location.hash = link) };
  }

  /** Covers the picture of the failed run with a card, or shows the card alone. */
  #showCard(card: FailureCard | MissingCard): void {
    const { page } = this;
    if (page.labScreen && !page.run.open) page.labScreen.cover(card);
    else page.show(card);
  }
}
