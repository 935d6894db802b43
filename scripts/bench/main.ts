// The page in which `npm run bench` (scripts/bench.mjs) measures. The script calls `measure` for each bundle (the
// WebAssembly module with or without threads) and number of threads. Each call starts a worker and passes on the lines
// that the worker prints.

import { chooseBundle } from "../../www/core/bundle";
import type { BundleName, LoadRequest } from "../../www/core/worker-messages";
import type { FromBench, ToBench } from "./worker";

declare global {
  /** Defined by the script that drives the browser. */
  function print(line: string): Promise<void>;
}

/** Runs the benchmarks whose names start with one of `names` on one bundle, by default with all threads. */
async function measure(bundle: BundleName, names: string[], threads = chooseBundle(bundle).threads): Promise<void> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  // The benchmarks are in a bundle of their own, in place of a lab's.
  const load: LoadRequest = { type: "load", bundle, lab: "bench", threads, channel: "bench" };
  await new Promise<void>((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = async ({ data }: MessageEvent<FromBench>) => {
      if (data.line) await print(data.line);
      if (data.failed) reject(new Error(data.failed));
      if (data.done) resolve();
    };
    worker.postMessage({ load, names } satisfies ToBench);
  });
  worker.terminate();
}

Object.assign(globalThis, { measure, choice: chooseBundle() });
