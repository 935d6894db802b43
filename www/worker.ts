// The worker of a session. It loads the bundle that the page chose and trains in short slices; between two slices it
// handles requests of the page.

import type { Failed, FromWorker, LoadRequest, ToWorker } from "./core/worker-messages";
import { loadBundle, type Bundle } from "./core/load-bundle";
import type { Build, Message, Request } from "./generated/protocol";

type SessionHost = InstanceType<Bundle["Host"]>;

/** Long enough to make the call into wasm negligible, short enough to answer at once. */
const SLICE_MS = 12;

let host: SessionHost | undefined;
let lost = false;

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "load") {
    await load(data).catch((error: unknown) => fail("load", messageOf(error)));
  } else {
    guarded(() => answer(data));
  }
};

async function load(wanted: LoadRequest): Promise<void> {
  const bundle = await loadBundle(wanted, post);
  host = new bundle.Host();
  post({ type: "ready", bundle: wanted.bundle, lab: wanted.lab, build: bundle.build() as Build });
}

function answer(request: Request): void {
  if (!host) throw new Error("a request came before the bundle was ready");
  // Bytes are passed beside the JSON, which holds everything else.
  const [text, bytes] = request.type === "resume" ? [{ type: request.type }, request.bytes] : [request, undefined];
  const reply = host.handle(JSON.stringify(text), bytes) as Message | undefined;
  if (reply) post(reply, reply.type === "view" || reply.type === "saved" ? buffersOf(reply) : []);
  postNews(host);
  schedule(host);
}

// A message to itself is handled after the page's messages that are already waiting. A timer of 0 ms would be delayed
// by 4 ms each time.
const turn = new MessageChannel();
turn.port1.onmessage = () => {
  queued = false;
  guarded(runSlice);
};
let queued = false;
let sleep: ReturnType<typeof setTimeout> | undefined;

function schedule(host: SessionHost): void {
  clearTimeout(sleep);
  if (!host.isRunning || queued) return;
  queued = true;
  const rest = host.rest;
  if (rest > 1) {
    queued = false;
    sleep = setTimeout(() => guarded(runSlice), rest);
  } else {
    turn.port2.postMessage(null);
  }
}

function runSlice(): void {
  if (!host) return;
  host.slice(SLICE_MS);
  postNews(host);
  schedule(host);
}

function postNews(host: SessionHost): void {
  const news = host.news() as Message | undefined;
  if (news) post(news);
}

/** The buffers of all byte arrays in a message, to be transferred instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(buffersOf);
}

/** Calls into Rust. After a trap the worker cannot be used any more. */
function guarded(piece: () => void): void {
  if (lost) return;
  try {
    piece();
  } catch (error) {
    lost = true;
    // Panics are reported by the hooks in Rust before they trap.
    if ("learneryFailureReported" in globalThis) return;
    // A trap without a panic is how a failed allocation ends.
    const memory = error instanceof WebAssembly.RuntimeError && error.message.includes("unreachable");
    if (memory) fail("memory", "there is not enough memory");
    else fail("panic", messageOf(error));
  }
}

function fail(kind: Failed["kind"], message: string): void {
  lost = true;
  post({ type: "failed", kind, message });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}
