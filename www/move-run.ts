// Moves the open run between the CPU and the GPU. Each has a bundle of its own, so the run is saved at the end of its
// unit (training iteration) and opened in another worker. If that fails, the run goes on where it was.

import { SECONDS, type App } from "./app";
import { whyNoGpu, type Device } from "./core/bundle";
import { sentenceEnd } from "./core/format";
import { IncomingFailure, Superseded } from "./core/incoming";
import type { Run } from "./core/run";

/** The purpose of this file's save requests, by which their answers are recognised. */
const MOVE = "move";

/** Moves the open run to this device, unless it is there already. */
export async function moveRun(app: App, device: Device): Promise<void> {
  const { run } = app;
  const { lab } = run;
  if (!lab?.usesGpu || !run.open || device === run.device) return;
  const missing = device === "gpu" ? whyNoGpu() : undefined;
  if (missing) return refuse(app, missing);
  app.device = device;
  const incoming = app.newIncoming(lab);
  let wasRunning = false;
  try {
    await incoming.fetched;
    await incoming.start();
    wasRunning = run.progress.running;
    run.pause();
    await incoming.resume(await checkpoint(run));
    if (app.incoming !== incoming) throw new Superseded();
    incoming.throwIfClosed();
    app.incoming = null;
    run.adopt(incoming, run.currentNote());
    if (wasRunning) run.play();
  } catch (error) {
    // Something else was asked for meanwhile, or the run has failed by itself, which the page shows.
    if (app.incoming !== incoming || !run.open) return;
    app.dropIncoming();
    app.device = run.device;
    if (wasRunning) run.play();
    refuse(app, `The run could not be moved: ${reasonOf(error as Error)}`);
  }
}

/** The open run as a file, which a save at the end of its unit gives. */
function checkpoint(run: Run): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const subscriptions = [
      run.on("saved", ({ purpose, bytes }) => purpose === MOVE && end(() => resolve(bytes))),
      run.on("refused", ({ request, message }) => request === "save" && end(() => reject(new Error(message)))),
      run.on("failed", ({ message }) => end(() => reject(new Error(message)))),
    ];
    const end = (settle: () => void) => {
      for (const unsubscribe of subscriptions) unsubscribe();
      settle();
    };
    run.save(MOVE);
  });
}

function reasonOf(error: Error): string {
  const kind = error instanceof IncomingFailure ? error.failure.kind : null;
  if (kind === "memory" || kind === "noMemory") return "there is not enough memory for a copy of the run";
  return error.message;
}

function refuse(app: App, text: string): void {
  app.notices.show("gpu", sentenceEnd(text), [], { tone: "wrong", seconds: SECONDS.long });
}
