// The page in which `npm run bench` (scripts/bench.mjs) measures. The script calls `measure` for each bundle (the
// WebAssembly module with or without threads) and number of threads. Each call starts a worker and passes on the lines
// that the worker prints.

import { chooseBundle } from "../../www/core/bundle";
import { Threads } from "../../www/core/threads";
import type { BundleName, LoadRequest, ThreadsRequest } from "../../www/core/worker-messages";
import type { FromBench, ToBench } from "./worker";

declare global {
  /** Defined by the script that drives the browser. */
  function print(line: string): Promise<void>;
}

/** Runs the benchmarks whose names start with one of `names` on one bundle, by default with all threads. */
async function measure(bundle: BundleName, names: string[], threads = chooseBundle(bundle).threads): Promise<void> {
  const createWorker = () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const worker = createWorker();
  // The benchmarks are in a bundle of their own, in place of a lab's.
  const load: LoadRequest = { type: "load", bundle, program: "bench", threads, channel: "bench" };
  let threadsOfWorker: Threads | undefined;
  await new Promise<void>((resolve, reject) => {
    threadsOfWorker = new Threads(createWorker, (failed) => reject(new Error(failed.message)));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = async ({ data }: MessageEvent<FromBench | ThreadsRequest>) => {
      if ("type" in data) return threadsOfWorker?.start(data, load);
      if (data.line) await print(data.line);
      if (data.failed) reject(new Error(data.failed));
      if (data.done) resolve();
    };
    worker.postMessage({ type: "bench", load, names } satisfies ToBench);
  });
  worker.terminate();
  threadsOfWorker?.close();
}

Object.assign(globalThis, { measure, choice: chooseBundle() });
