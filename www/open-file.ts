// Opens a checkpoint or a recipe file. A checkpoint is checked, and opened in a worker of its own, before the open run
// is touched. So a file that is refused changes nothing, and what is wrong with it is said where it was dropped or
// chosen.

import type { Autosave } from "./core/autosave";
import { nameInFile, readHeader } from "./core/checkpoint";
import { readCheckpointFile, WrongFile } from "./core/checkpoint-file";
import { sentenceEnd } from "./core/format";
import { IncomingFailure, type Incoming } from "./core/incoming";
import { Refusal, Superseded } from "./core/requests";
import { libraryOf } from "./core/library";
import { hostAnswers } from "./core/network";
import type { Run } from "./core/run";
import { LABS } from "./generated/labs";
import type { LabInfo } from "./generated/protocol";
import type { KeptRuns } from "./kept-runs";
import { loadViewModule } from "./labs/manifests";
import type { Runs } from "./runs";
import type { Report } from "./ui/drop";
import type { Notices } from "./ui/notices";
import type { Workers } from "./workers";

/** The parts of the page that `setAside`, which saves the open run, uses. */
export interface SetAsideContext {
  run: Run;
  autosave: Pick<Autosave, "finish">;
  kept: Pick<KeptRuns, "keepOpenRunAndWait">;
}

/** The parts of the page that `openFile` uses. */
export interface OpenFileContext extends SetAsideContext {
  notices: Notices;
  runs: Pick<Runs, "startRecipe">;
  workers: Pick<Workers, "incoming" | "newIncoming" | "dropIncoming">;
  showLab: (lab: LabInfo) => Promise<void>;
  showLink: () => void;
}

/** Starts the run of a recipe file, and returns whether it is one. */
async function openRecipe({ runs }: Pick<OpenFileContext, "runs">, file: File, report: Report): Promise<boolean> {
  try {
    const { readRecipeFile } = await import("./core/recipe-file");
    const request = await readRecipeFile(file, LABS);
    report("");
    void runs.startRecipe(request);
    return true;
  } catch (error) {
    report(`${file.name} cannot be opened: ${sentenceEnd(await reasonOf(error as Error, false))}`, true);
    return false;
  }
}

/** Continues the run of a checkpoint file, or repeats that of a recipe file, and returns whether that was possible. */
export async function openFile(page: OpenFileContext, file: File, report: Report): Promise<boolean> {
  report(`Opening ${file.name} …`);
  if (/\.json$/i.test(file.name)) return openRecipe(page, file, report);
  let incoming: Incoming | null = null;
  let isLoaded = false;
  try {
    const ids = LABS.map(({ id }) => id);
    const { bytes, lab: id } = await readCheckpointFile(file, ids);
    const lab = await LABS.find((listed) => listed.id === id)?.load();
    if (!lab) return false;
    incoming = page.workers.newIncoming(lab, readHeader(bytes)?.config ?? {});
    await Promise.all([incoming.fetched, loadViewModule(id)]);
    isLoaded = true;
    await incoming.start();
    await incoming.resume(bytes);
    await setAside(page, lab);
    if (page.workers.incoming !== incoming) throw new Superseded();
    incoming.throwIfClosed();
    page.workers.incoming = null;
    page.run.adopt(incoming);
    const name = nameInFile(file.name);
    if (name) libraryOf(lab).nameOnSave(page.run.note.id, name);
    report("");
    // Written before the lab is shown, because the run may train on meanwhile and be at another unit.
    const text = `Opened ${file.name} at ${lab.about.unit} ${page.run.progress.units}.`;
    await page.showLab(lab);
    page.notices.show("opened", text, [], { lab: lab.about.id });
    page.showLink();
    return true;
  } catch (error) {
    if (incoming && page.workers.incoming === incoming) page.workers.dropIncoming();
    // Something else was asked for meanwhile.
    if (error instanceof Superseded) report("");
    else report(`${file.name} cannot be opened: ${sentenceEnd(await reasonOf(error as Error, isLoaded))}`, true);
    return false;
  }
}

/**
 * Saves the open run, which a run of `lab` is about to replace. A run with fewer units than `minUnits` (by default
 * `MIN_UNITS_TO_KEEP`) is not kept.
 */
export async function setAside(
  { run, autosave, kept }: SetAsideContext,
  lab: LabInfo,
  minUnits?: number,
): Promise<void> {
  if (!run.open || run.lab !== lab) {
    await autosave.finish();
    return;
  }
  await kept.keepOpenRunAndWait(minUnits);
}

/** Why a file could not be opened, as the end of a sentence. `isLoaded`: whether the parts of its lab have arrived. */
async function reasonOf(error: Error, isLoaded: boolean): Promise<string> {
  if (error instanceof WrongFile || error instanceof Refusal) return error.message;
  const kind = error instanceof IncomingFailure ? error.failure.kind : null;
  if (kind === "memory" || kind === "noMemory")
    return "there is not enough memory for a second run beside the present one";
  // Of a worker's failures only `fetch` says that a file is missing; another is that it was not ready in time.
  const isMissing = kind === null ? !isLoaded : kind === "fetch";
  return isMissing && !(await hostAnswers())
    ? "its lab is not stored on this device and there is no network"
    : `its lab could not be started (${error.message})`;
}
