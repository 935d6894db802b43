// Loads a lab's bundle into a worker: fetches its WebAssembly module, compiles it and starts its threads. A bundle
// consists of the module and the JavaScript that wasm-bindgen generates for it (the glue).

import type { LoadRequest, Loading } from "./worker-messages";

/** The exports of a bundle's glue. They are the same for every lab, so any lab's glue serves as the type. */
export type Bundle = typeof import("../generated/wasm/simple/control/learnery_web.js");

/** Imports the glue of a bundle. */
type ImportGlue = () => Promise<Bundle>;

// The bundles that were built, by path: `threads` or `simple`, then the lab.
/** Functions that import the glue. */
const GLUE = import.meta.glob<Bundle>("../generated/wasm/*/*/learnery_web.js");
/** Functions that return the address of the WebAssembly module. */
const MODULES = import.meta.glob<string>("../generated/wasm/*/*/*.wasm", { query: "?url", import: "default" });

/** Loads the bundle of a lab, or throws the reason why it cannot. See `startBundle` for `hold`. */
export async function loadBundle(
  load: LoadRequest,
  progress: (loading: Loading) => void,
  hold?: () => Promise<void>,
): Promise<Bundle> {
  const folder = `../generated/wasm/${load.bundle}/${load.lab}`;
  const glue = GLUE[`${folder}/learnery_web.js`];
  const address = MODULES[`${folder}/learnery_web_bg.wasm`];
  if (!glue || !address) throw new Error(`there is no bundle of the lab ${load.lab}`);
  return startBundle(load, glue, await address(), progress, hold);
}

/** Compiles a bundle and starts its threads. Between the two it waits for `hold`. */
export async function startBundle(
  load: LoadRequest,
  importGlue: ImportGlue,
  address: string,
  progress: (loading: Loading) => void,
  hold?: () => Promise<void>,
): Promise<Bundle> {
  const arriving = importGlue();
  const size = arriving.then((bundle) => bundle.moduleBytes);
  const [bundle, compiled] = await Promise.all([arriving, compile(address, size, progress)]);
  await hold?.();
  await bundle.default({ module_or_path: compiled });
  bundle.reportFailuresOn(load.channel);
  // Only a worker can have a thread pool: it waits for the pool by blocking, which a page's main thread must not do.
  if (load.threads > 1) await bundle.initThreadPool?.(load.threads);
  return bundle;
}

/** Compiles the module while it downloads, and reports how much has arrived. */
async function compile(
  url: string,
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
