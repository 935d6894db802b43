// The messages between the page and its session worker (which trains one run) that are not part of the generated
// protocol: loading a bundle, readiness and failures. A bundle is a lab's WebAssembly module with its JavaScript. These
// messages never reach Rust, so their types are written by hand.

import type { Build, Message, Request, ToolsRequest } from "../generated/protocol";

/** The builds of the Rust crates. Each lab has a bundle of each, but of `gpu` only if it can compute on one. */
export type BundleName = (typeof BUNDLE_NAMES)[number];

export const BUNDLE_NAMES = [
  "threads", // threads and a fused multiply-add
  "threads-plain", // threads, and a multiply-add that is rounded twice
  "simple", // one thread, and the same bits as `threads-plain`
  "gpu", // one thread, and a GPU through WebGPU
] as const;

/** The page's first message to a new worker. */
export type LoadRequest = {
  type: "load";
  bundle: BundleName;
  /** The program: a lab's name, or that of a second program of the lab, see `programOf`. */
  program: string;
  /** Threads in the pool; 1 for the simple bundle. */
  threads: number;
  /** True to fetch and compile the bundle, and to wait for `Begin` before it is given memory and threads. */
  hold?: boolean;
  /** The broadcast channel on which any of the worker's threads reports a failure. */
  channel: string;
};

/**
 * The file of a module's later part (later-part.ts), with room for its bytes: a flag that says whether they have
 * arrived, then the bytes.
 */
export type LaterFile = { address: string; buffer: ArrayBuffer | SharedArrayBuffer };

/** The worker asks for the threads of its pool (crates/web/src/wasm/start-workers.js). */
export type ThreadsRequest = {
  type: "threads";
  count: number;
  module: WebAssembly.Module;
  /** The memory of the worker, which the threads share. */
  memory: WebAssembly.Memory;
  /** Address, within `memory`, of the channel from which each thread takes its place in the pool. */
  receiver: number;
  /** The later part of the module, if it has one. */
  later: LaterFile | undefined;
  /** Receives a message when all threads have started. */
  started: MessagePort;
};

/** The page's only message to a worker that is a thread of a session worker's pool. */
export type ThreadStart = Pick<LoadRequest, "bundle" | "program"> &
  Pick<ThreadsRequest, "module" | "memory" | "receiver" | "later"> & { type: "thread" };

/** The only message of a thread, except a failure: it has loaded the bundle. */
export type ThreadStarted = { type: "threadStarted" };

/** How many bytes of the bundle have arrived. */
export type Loading = { type: "loading"; loaded: number; total: number };

/** Every file of the bundle has arrived, and the worker waits for `Begin`. */
export type Fetched = { type: "fetched" };

/** The page's answer to `Fetched`. */
export type Begin = { type: "begin" };

/** The bundle has been loaded; the worker answers requests from now on. */
export type Ready = { type: "ready"; bundle: BundleName; program: string; build: Build };

/** The worker cannot be used any more and has to be replaced. */
export type Failed = {
  type: "failed";
  kind:
    | "panic" // in Rust
    | "memory" // none is left
    | "noMemory" // not enough to begin with
    | "fetch" // a file of the bundle did not arrive
    | "later" // the later part of the module did not arrive when it was needed
    | "load"; // the bundle could not be loaded for another reason
  message: string;
};

/** Why a worker is of no use any more: `silent`, it does not answer; `device`, the GPU that it computed on failed. */
export interface WorkerFailure {
  kind: Failed["kind"] | "silent" | "device";
  message: string;
}

/** A request with the number that its reply repeats. */
export type Numbered<Asked> = Asked & { id: number };

export type ToWorker = LoadRequest | Begin | Numbered<Request> | Numbered<ToolsRequest>;

/** The messages that the page's code receives. Those about threads are handled by worker-link.ts. */
export type FromWorker = Loading | Fetched | Ready | Message | Failed;
