// The session worker, which trains one run, or answers questions to a lab's tools if its bundle has those alone. It
// loads the bundle that the page chose (a lab's WebAssembly module with its JavaScript) and trains in short slices of
// time; between two slices it answers requests of the page. The page's side is worker-link.ts. A worker with this
// script can also be a thread of a session worker's pool.

import { adapterName } from "./adapter-name";
import type { Failed, FromWorker, LoadRequest, ThreadStart, ToWorker } from "./worker-messages";
import { fetchLaterPart, importGlueOf, loadBundle, runThread, type Bundle } from "./load-bundle";
import { callFailure, loadFailure } from "./worker-failure";
import type { Build, Message, Request, ToolsRequest } from "../generated/protocol";

type SessionHost = InstanceType<Bundle["Host"]>;

/**
 * Duration of a slice of training: long enough that the cost of a call into WebAssembly is negligible, short enough
 * that a visitor notices no delay of requests.
 */
const SLICE_MS = 12;

/** The session in Rust, which holds the run; undefined until the bundle is loaded. */
let host: SessionHost | undefined;
/** The name of the GPU, where the bundle can use one. */
let gpuName = "";
/** Lets a bundle that has been fetched start; undefined until it has been fetched, and if it starts at once. */
let begin: (() => void) | undefined;
/** True after a failure. The worker then does nothing more, and the page replaces it. */
let failed = false;

self.onmessage = async ({ data }: MessageEvent<ToWorker | ThreadStart>) => {
  if (data.type === "load") {
    await load(data).catch((error: unknown) => fail(loadFailure(error)));
  } else if (data.type === "thread") {
    await runThread(data, importGlueOf(data));
  } else if (data.type === "begin") {
    begin?.();
  } else {
    guarded(() => answer(data));
  }
};

async function load(request: LoadRequest): Promise<void> {
  const fetched = () =>
    new Promise<void>((resolve) => {
      begin = resolve;
      post({ type: "fetched" });
    });
  const bundle = await loadBundle(request, post, request.hold ? fetched : undefined);
  if (request.bundle === "gpu") gpuName = await askGpuName();
  host = new bundle.Host();
  post({ type: "ready", bundle: request.bundle, program: request.program, build: bundle.build() as Build });
}

/** The browser's name for the GPU that it would choose; empty if it gives none. */
async function askGpuName(): Promise<string> {
  try {
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
    return adapter ? adapterName(adapter.info) : "";
  } catch {
    return ""; // There is no WebGPU, which opening the GPU will say.
  }
}

function answer(request: Request | ToolsRequest): void {
  if (!host) throw new Error("a request came before the bundle was ready");
  // The request goes to Rust as JSON, except for bytes, which are passed separately.
  const { bytes, ...json } = { bytes: undefined, ...request };
  if (json.type === "useGpu") Object.assign(json, { name: gpuName });
  const reply = host.handle(JSON.stringify(json), bytes) as Message | undefined;
  if (reply) post(reply, hasBytes(reply) ? buffersOf(reply) : []);
  postMessages(host);
  schedule(host);
}

// Slices are scheduled by a message of the worker to itself, which arrives after the page's messages that are waiting
// already. A timer of 0 ms would be delayed by 4 ms each time.
const sliceChannel = new MessageChannel();
sliceChannel.port1.onmessage = () => {
  isQueued = false;
  guarded(runSlice);
};
/** Whether a slice has been scheduled by message. */
let isQueued = false;
/** The timer of the next slice at a limited pace. */
let timer: ReturnType<typeof setTimeout> | undefined;

/** Schedules the next slice: at once, or after the time that the speed prescribes. */
function schedule(session: SessionHost): void {
  clearTimeout(timer);
  if (!session.hasWork || isQueued) return;
  const waitMs = session.millisecondsUntilSlice;
  // A millisecond or less is not worth a timer.
  if (waitMs > 1) timer = setTimeout(() => guarded(runSlice), waitMs);
  else queueSlice();
}

function queueSlice(): void {
  if (isQueued) return;
  isQueued = true;
  sliceChannel.port2.postMessage(null);
}

// A bundle for GPUs calls this when its device has finished some work, so that the next slice need not wait for a
// timer.
Object.assign(globalThis, { learneryWake: queueSlice });

function runSlice(): void {
  if (!host) return;
  host.slice(SLICE_MS);
  postMessages(host);
  schedule(host);
}

/** Posts what is due without a request: progress, and answers that had to wait. */
function postMessages(session: SessionHost): void {
  for (;;) {
    const message = session.takeMessage() as Message | undefined;
    if (!message) return;
    if (message.type === "progress" && message.progress.work > 0) fetchLaterPart();
    post(message, hasBytes(message) ? buffersOf(message) : []);
  }
}

/** Whether a message may hold byte arrays, so that the others need not be searched. */
function hasBytes({ type }: Message): boolean {
  return type === "view" || type === "saved" || type === "answer";
}

/** The buffers of all byte arrays in a message, to be transferred instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(buffersOf);
}

/** Makes a call into Rust, and reports it if it fails. */
function guarded(call: () => void): void {
  if (failed) return;
  try {
    call();
  } catch (error) {
    fail(callFailure(error));
  }
}

/** Ends the work of this worker. A failure of undefined has been reported already. */
function fail(failure: Failed | undefined): void {
  failed = true;
  if (failure) post(failure);
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}
