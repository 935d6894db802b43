// The worker of the editor for worlds: checks texts and steps the live world, so that no text can block the page. Its
// program is a small bundle of its own (crates/web/src/own_world).

import type { CheckedWorld, Episode } from "../../../generated/protocol";
import type { FlatPicture, FromWorldWorker, Moment, ToWorldWorker } from "./messages";

type Bundle = typeof import("../../../generated/wasm/simple/world/learnery_web.js");
type OwnWorld = InstanceType<Bundle["OwnWorld"]>;

// A static import of a bundle that is not built yet would fail the page's build; a glob then matches nothing.
const GLUE = import.meta.glob<Bundle>("../../../generated/wasm/simple/world/learnery_web.js");
const MODULE_URL = import.meta.glob<string>("../../../generated/wasm/simple/world/*.wasm", {
  query: "?url",
  import: "default",
});

const loading = load().catch((error: unknown) => fail(error));
let world: OwnWorld | undefined;

self.onmessage = async ({ data }: MessageEvent<ToWorldWorker>) => {
  const bundle = await loading;
  if (!bundle) return; // load() has failed, and fail() has told the page
  try {
    // A text with a seed starts anew: a world that is kept would carry over parameters and state of the one before.
    if (!world || (data.type === "text" && data.seed !== null)) {
      world?.free();
      world = new bundle.OwnWorld();
    }
    const checked = handle(world, data);
    const moment: Moment = { episode: world.episode() as Episode | null, picture: world.picture() as FlatPicture };
    const answer: FromWorldWorker = { type: "answer", id: data.id, moment, ...(checked && { checked }) };
    // The numbers are a copy, not a view of the memory of the bundle, so their buffer can be transferred.
    self.postMessage(answer, { transfer: [moment.picture.numbers.buffer] });
  } catch (error) {
    fail(error);
  }
};

async function load(): Promise<Bundle> {
  const [importGlue] = Object.values(GLUE);
  const [importUrl] = Object.values(MODULE_URL);
  if (!importGlue || !importUrl) throw new Error("the editor's program is missing on this site");
  const loaded = Promise.all([importGlue(), importUrl().then((url) => WebAssembly.compileStreaming(fetch(url)))]);
  const [glue, module] = await loaded.catch(() => {
    throw new Error("the editor's program could not be loaded");
  });
  await glue.default({ module_or_path: module });
  post({ type: "ready" });
  return glue;
}

/** Handles a request. For a text it returns the result of the check. */
function handle(world: OwnWorld, request: ToWorldWorker): CheckedWorld | undefined {
  switch (request.type) {
    case "text":
      if (request.seed !== null) world.reset(request.seed);
      return world.check(request.text) as CheckedWorld;
    case "advance":
      // A step after the end of an episode does nothing.
      for (let i = 0; i < request.steps; i++) world.step(Float32Array.from(request.action));
      return undefined;
    case "parameter":
      world.setParameter(request.index, request.value);
      return undefined;
    case "next":
      world.nextEpisode();
      return undefined;
  }
}

function fail(error: unknown): undefined {
  post({ type: "failed", message: error instanceof Error ? error.message : String(error) });
}

function post(message: FromWorldWorker): void {
  self.postMessage(message);
}
