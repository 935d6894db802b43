// What the visitor does with kept runs: opens them, deletes them with a way back, imports and exports files, and asks
// for fingerprints. It is loaded with the library's panel.

import type { Autosave } from "./core/autosave";
import { download, fileName, nameInFile, readHeader, readStoredHeader } from "./core/checkpoint";
import { readCheckpointFile, WrongFile } from "./core/checkpoint-file";
import { isFull } from "./core/folder";
import { formatCount, sentenceEnd } from "./core/format";
import { Incoming } from "./core/incoming";
import { libraryOf } from "./core/library";
import type { KeptRun } from "./core/library-budget";
import type { Run } from "./core/run";
import { nameOf } from "./core/run-names";
import { LABS } from "./generated/labs";
import type { LabInfo } from "./generated/protocol";
import type { KeptRuns } from "./kept-runs";
import type { Report } from "./ui/drop";
import type { LibraryActions } from "./ui/library";
import type { Notices } from "./ui/notices";
import type { Workers } from "./workers";

/** The parts of the page that `KeptRunActions` uses. */
export interface KeptRunActionsContext {
  run: Run;
  autosave: Pick<Autosave, "finish">;
  kept: KeptRuns;
  notices: Notices;
  workers: Pick<Workers, "withWorkerFor">;
  /** Opens another lab with one of its tools. */
  openTool: (lab: string, tool: string) => void;
}

export class KeptRunActions implements LibraryActions {
  constructor(readonly page: KeptRunActionsContext) {}

  get openRun(): string | null {
    return this.page.kept.openRunId;
  }

  savesLab(lab: LabInfo): Promise<boolean> {
    return this.page.kept.savesLab(lab);
  }

  isDeleting(id: string): boolean {
    return this.page.kept.deleting.has(id);
  }

  /** Opens a kept run of the shown lab, paused as it was saved. The open run is kept first. */
  async open(lab: LabInfo, { id, metadata }: KeptRun): Promise<void> {
    const { run, notices, kept, workers } = this.page;
    if (id === this.openRun) return;
    const saved = await libraryOf(lab).load(id);
    if (!saved) return kept.tellGone();
    if (kept.deleting.delete(id)) notices.hide(`deleted-${id}`);
    const before = this.openRun;
    const tellOpened = (isKept: boolean) => {
      const back = { label: "Go back to the run before", run: () => void kept.goBackTo(lab, before as string) };
      const text = `Opened ${nameOf(lab, metadata)} at ${lab.about.unit} ${run.progress.units}.`;
      notices.show("opened", text, isKept && before ? [back] : [], { lab: lab.about.id });
    };
    await workers.withWorkerFor(lab, readHeader(saved.bytes)?.config ?? {}, () => {
      const isKept = kept.keepOpenRun() !== null;
      run.resume(saved.bytes, saved.note).then(
        () => tellOpened(isKept),
        () => {}, // the page shows why
      );
    });
  }

  /** Deletes a run once the notice that can take it back has gone. */
  delete(lab: LabInfo, { id, metadata }: KeptRun): void {
    const library = libraryOf(lab);
    this.page.kept.deleting.add(id);
    library.refresh();
    const undo = () => {
      this.page.kept.deleting.delete(id);
      library.refresh();
    };
    const gone = () => {
      // If it has been opened meanwhile, it stays.
      if (this.page.kept.deleting.has(id) && id !== this.openRun) void library.delete(id).finally(undo);
      else undo();
    };
    const text = `Deleted ${nameOf(lab, metadata)}.`;
    this.page.notices.show(`deleted-${id}`, text, [{ label: "Undo", run: undo }], { lab: lab.about.id, gone });
  }

  /** Downloads a kept run. The open run is saved first, so that the file holds its present state. */
  async export(lab: LabInfo, { id, metadata }: KeptRun): Promise<void> {
    if (id === this.openRun) await this.page.autosave.finish();
    const saved = await libraryOf(lab).load(id);
    const units = saved && readStoredHeader(saved.bytes)?.units;
    if (!saved) this.page.kept.tellGone();
    else {
      const { seed, name } = metadata;
      download(fileName(lab.about.id, seed, units ?? metadata.units, { name }), saved.bytes);
    }
  }

  /** Adds checkpoint files to the libraries of their labs, and says what came of it. */
  async import(shown: LabInfo, files: File[], report: Report): Promise<void> {
    const added = new Map<LabInfo, number>();
    const problems: string[] = [];
    for (const file of files) {
      report(`Importing ${file.name} …`);
      try {
        const lab = await importFile(file);
        added.set(lab, (added.get(lab) ?? 0) + 1);
      } catch (error) {
        problems.push(`${file.name} cannot be imported: ${sentenceEnd(importProblem(error as Error))}`);
      }
    }
    const here = added.get(shown) ?? 0;
    const elsewhere = [...added].filter(([lab]) => lab !== shown);
    const words = here > 0 ? [`Imported ${formatCount(here, "run")}.`] : [];
    for (const [lab, count] of elsewhere)
      words.push(
        `${formatCount(count, "run")} of another lab ${count === 1 ? "is" : "are"} now in ${lab.about.title}.`,
      );
    report([...words, ...problems].join(" "), problems.length > 0);
    const [other] = elsewhere;
    if (!other) return;
    const { id, title } = other[0].about;
    const go = { label: `Open ${title}`, run: () => this.page.openTool(id, "runs") };
    this.page.notices.show("imported", `Imported into the library of ${title}.`, [go], { lab: shown.about.id });
  }

  /**
   * Computes the fingerprint of a kept run in a worker of its own, and keeps it: a hash of all that continues the run.
   */
  async fingerprint(lab: LabInfo, { id, metadata }: KeptRun): Promise<string> {
    if (metadata.fingerprint) return metadata.fingerprint;
    const library = libraryOf(lab);
    const saved = await library.load(id);
    if (!saved) throw new Error("the run is no longer saved");
    const incoming = new Incoming(this.page.run.cpuBundle, lab, readHeader(saved.bytes)?.config ?? {}, () => {});
    try {
      await incoming.fetched;
      await incoming.start();
      await incoming.resume(saved.bytes);
      const { units, fingerprint } = await incoming.fingerprint();
      if (!fingerprint) throw new Error("it could not be computed");
      if ((await library.find(id))?.metadata.units === units) await library.update(id, { fingerprint });
      return fingerprint;
    } finally {
      incoming.close();
    }
  }
}

async function importFile(file: File): Promise<LabInfo> {
  const { bytes, lab: id } = await readCheckpointFile(
    file,
    LABS.map((lab) => lab.id),
  );
  if (readStoredHeader(bytes)?.network_only === true)
    throw new WrongFile("it holds only the network, without what is needed to continue the run");
  const lab = await LABS.find((listed) => listed.id === id)?.load();
  const found = nameInFile(file.name);
  const name = found === undefined ? file.name.replace(/\.safetensors$/, "") : found;
  if (!lab || !(await libraryOf(lab).import(bytes, name))) throw new WrongFile("it is not a run that can be read");
  return lab;
}

function importProblem(error: Error): string {
  if (error instanceof WrongFile) return error.message;
  return isFull(error) ? "the browser's storage is full" : `it could not be saved (${error.message})`;
}
