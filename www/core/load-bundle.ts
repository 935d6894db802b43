// Loads a lab's bundle into a worker: fetches its WebAssembly module, compiles it and starts its threads. A bundle
// consists of the module and the JavaScript that wasm-bindgen generates for it (the glue). Each thread is a worker too,
// with an instance of the same module that shares the memory of the first.

import { fetchLater, laterFile, loadLater } from "./later-part";
import { arrival, callFailure, NotArrived } from "./worker-failure";
import type { Failed, LaterFile, LoadRequest, Loading, ThreadStart, ThreadStarted } from "./worker-messages";

/** The exports of a bundle's glue. They are the same for every lab, so any lab's glue serves as the type. */
export type Bundle = typeof import("../generated/wasm/simple/control/learnery_web.js");

/** How long the worker waits after the later part could not be fetched. */
const RETRY_MS = 5_000;

/** Imports the glue of a bundle. */
type ImportGlue = () => Promise<Bundle>;

// The bundles of labs that were built, by path: the folder of the build, such as `threads`, in it that of the program.
/** Functions that import the glue of each bundle. */
const GLUE_LOADERS = import.meta.glob<Bundle>([
  "../generated/wasm/*/*/learnery_web.js",
  "!../generated/wasm/*/{fleet,world}/learnery_web.js",
]);
/** Functions that return the address of each bundle's WebAssembly module. */
const MODULE_URL_LOADERS = import.meta.glob<string>(
  ["../generated/wasm/*/*/*.wasm", "!../generated/wasm/*/{fleet,world}/*.wasm"],
  {
    query: "?url",
    import: "default",
  },
);

/** Loads the bundle of a lab, or throws the reason why it cannot. See `startBundle` for `hold`. */
export async function loadBundle(
  load: LoadRequest,
  progress: (loading: Loading) => void,
  hold?: () => Promise<void>,
): Promise<Bundle> {
  const folder = `../generated/wasm/${load.bundle}/${load.program}`;
  const address = MODULE_URL_LOADERS[`${folder}/learnery_web_bg.wasm`];
  if (!address) throw new Error(`there is no bundle ${load.program}`);
  const laterAddress = MODULE_URL_LOADERS[`${folder}/learnery_web_later.wasm`];
  const addresses = await arrival(Promise.all([address(), laterAddress?.()]));
  return startBundle(load, importGlueOf(load), addresses, progress, hold);
}

/** The later part of the module that this worker has loaded. */
let later: LaterFile | undefined;
/** Whether it is being fetched, or was not long ago. */
let isFetching = false;

/** Fetches the later part of the module in the background, unless it has arrived. */
export function fetchLaterPart(): void {
  if (!later || isFetching) return;
  isFetching = true;
  // After a failure the next call tries again, but not at once.
  void fetchLater(later).then((hasArrived) => {
    if (!hasArrived) setTimeout(() => (isFetching = false), RETRY_MS);
  });
}

/** The function that imports the glue of a lab's bundle. */
export function importGlueOf({ bundle, program }: { bundle: string; program: string }): ImportGlue {
  const glue = GLUE_LOADERS[`../generated/wasm/${bundle}/${program}/learnery_web.js`];
  if (!glue) throw new Error(`there is no bundle ${program}`);
  return glue;
}

/**
 * Compiles a bundle and starts its threads. Between the two it waits for `hold`. The addresses are those of its module
 * and of the later part of it, if it has one.
 */
export async function startBundle(
  load: LoadRequest,
  importGlue: ImportGlue,
  [address, laterAddress]: [module: string, later?: string | undefined],
  progress: (loading: Loading) => void,
  hold?: () => Promise<void>,
): Promise<Bundle> {
  const arriving = importGlue();
  const size = arriving.then((bundle) => bundle.moduleBytes);
  const [bundle, compiled] = await arrival(Promise.all([arriving, compile(address, size, progress)]));
  await hold?.();
  if (laterAddress && bundle.laterBytes) later = laterFile(laterAddress, bundle.laterBytes, load.threads);
  // start-workers.js passes it on to the threads.
  Object.assign(globalThis, { learneryLater: later });
  useLater(bundle, later);
  await bundle.default({ module_or_path: compiled });
  bundle.reportFailuresOn(load.channel);
  // The page creates the threads: see crates/web/src/wasm/start-workers.js.
  if (load.threads > 1) await bundle.initThreadPool?.(load.threads);
  return bundle;
}

/** Lets a bundle load the later part of its module. */
function useLater(bundle: Bundle, file: LaterFile | undefined): void {
  if (file) bundle.onLaterPart?.((exports) => loadLater(file, exports));
}

/** Makes this worker a thread of a pool, for good. */
export async function runThread(
  { module, memory, receiver, later }: ThreadStart,
  importGlue: ImportGlue,
): Promise<void> {
  let bundle: Bundle;
  try {
    bundle = await importGlue();
    useLater(bundle, later);
    await bundle.default({ module_or_path: module, memory });
  } catch (error) {
    return self.postMessage({ type: "failed", kind: "load", message: String(error) } satisfies Failed);
  }
  self.postMessage({ type: "threadStarted" } satisfies ThreadStarted);
  try {
    bundle.wbg_rayon_start_worker?.(receiver);
  } catch (error) {
    const failure = callFailure(error);
    if (failure) self.postMessage(failure);
  }
}

/** Compiles the module while it downloads, and reports how much has arrived. */
async function compile(
  url: string,
  size: Promise<number>,
  progress: (loading: Loading) => void,
): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new NotArrived(`the bundle could not be fetched (${response.status})`);
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
