// Loads a bundle as the session worker does, and measures the benches in it.

import type { Load } from "../../www/core/envelope";
import { loadBundle } from "../../www/core/load-bundle";

export type ToBench = { load: Load; names: string[] };
export type FromBench = { line?: string; failed?: string; done?: true };

const post = (message: FromBench) => self.postMessage(message);

self.onmessage = async ({ data: { load, names } }: MessageEvent<ToBench>) => {
  try {
    const bundle = await loadBundle(load, () => {});
    const target = load.bundle === "threads" ? "wasm-threads" : "wasm-simd";
    bundle.bench(names, target, load.threads, (line) => post({ line }));
    post({ done: true });
  } catch (error) {
    post({ failed: error instanceof Error ? error.message : String(error) });
  }
};
