// Loads one of the two bundles into a worker: fetches and compiles it, starts its threads.

import type { Load, Loading } from "./envelope";

/** What both bundles export. */
export type Bundle = typeof import("../generated/wasm/simple/learnery_web.js");

const BUNDLES: Record<Load["bundle"], { code: () => Promise<Bundle>; module: URL }> = {
  threads: {
    code: () => import("../generated/wasm/threads/learnery_web.js"),
    module: new URL("../generated/wasm/threads/learnery_web_bg.wasm", import.meta.url),
  },
  simple: {
    code: () => import("../generated/wasm/simple/learnery_web.js"),
    module: new URL("../generated/wasm/simple/learnery_web_bg.wasm", import.meta.url),
  },
};

/** Gives the bundle, ready to be used, or fails with the reason. */
export async function loadBundle(load: Load, progress: (loading: Loading) => void): Promise<Bundle> {
  const { code, module } = BUNDLES[load.bundle];
  const arriving = code();
  const size = arriving.then((bundle) => bundle.moduleBytes);
  const [bundle, compiled] = await Promise.all([arriving, compile(module, size, progress)]);
  await bundle.default({ module_or_path: compiled });
  bundle.reportFailuresOn(load.channel);
  // The pool belongs to this worker: while it works, this thread waits, which a page's own thread must not.
  if (load.threads > 1) await bundle.initThreadPool?.(load.threads);
  return bundle;
}

/** Compiles the module while it arrives, and says how much of it has. */
async function compile(
  url: URL,
  size: Promise<number>,
  progress: (loading: Loading) => void,
): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`the bundle could not be fetched (${response.status})`);
  let loaded = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      loaded += chunk.byteLength;
      controller.enqueue(chunk);
      progress({ type: "loading", loaded, total: await size });
    },
  });
  const body = response.body.pipeThrough(counter);
  return WebAssembly.compileStreaming(new Response(body, { headers: { "content-type": "application/wasm" } }));
}
