// The worker of the benchmark page. It loads the bench bundle in the same way as the session worker
// (www/core/worker.ts) loads a lab's bundle, and runs the benchmarks.

import type { LoadRequest, ThreadStart } from "../../www/core/worker-messages";
import { runThread, startBundle, type Bundle } from "../../www/core/load-bundle";

/** What to measure with which bundle. */
export type ToBench = { type: "bench"; load: LoadRequest; names: string[] };
/** A message of the worker: a line of results, the reason of a failure, or the end. */
export type FromBench = { line?: string; failed?: string; done?: true };

const BUNDLES = {
  threads: {
    importGlue: (): Promise<Bundle> => import("../../www/generated/wasm-bench/threads/bench/learnery_web.js"),
    module: new URL("../../www/generated/wasm-bench/threads/bench/learnery_web_bg.wasm", import.meta.url),
  },
  simple: {
    importGlue: (): Promise<Bundle> => import("../../www/generated/wasm-bench/simple/bench/learnery_web.js"),
    module: new URL("../../www/generated/wasm-bench/simple/bench/learnery_web_bg.wasm", import.meta.url),
  },
};

const post = (message: FromBench) => self.postMessage(message);

// A thread of the pool is a worker with this script too.
self.onmessage = async ({ data }: MessageEvent<ToBench | ThreadStart>) => {
  try {
    if (data.type === "thread") return await runThread(data, BUNDLES.threads.importGlue);
    const { load, names } = data;
    if (load.bundle !== "threads" && load.bundle !== "simple")
      throw new Error(`the benches have no build "${load.bundle}"`);
    const { importGlue, module } = BUNDLES[load.bundle];
    const bundle = await startBundle(load, importGlue, [module.href], () => {});
    const target = load.bundle === "threads" ? "wasm-threads" : "wasm-simd"; // as the results name the two builds
    bundle.bench?.(names, target, load.threads, (line) => post({ line }));
    post({ done: true });
  } catch (error) {
    post({ failed: error instanceof Error ? error.message : String(error) });
  }
};
