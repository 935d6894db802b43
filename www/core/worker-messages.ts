// The messages between the page and its worker that are not part of the generated protocol: loading a bundle, readiness
// and failures. They never reach Rust, so their types are written by hand.

import type { Build, Message, Request } from "../generated/protocol";

/** The two builds of the Rust crates, with threads and without. Each lab has a bundle of each. */
export type BundleName = "threads" | "simple";

/** The page's first message to a new worker. */
export type LoadRequest = {
  type: "load";
  bundle: BundleName;
  lab: string;
  /** Threads in the pool; 1 for the simple bundle. */
  threads: number;
  /** The broadcast channel on which any of the worker's threads reports a failure. */
  channel: string;
};

/** How many bytes of the bundle have arrived. */
export type Loading = { type: "loading"; loaded: number; total: number };

/** The bundle has been loaded; the worker answers requests from now on. */
export type Ready = { type: "ready"; bundle: BundleName; lab: string; build: Build };

/** The worker cannot be used any more and has to be replaced. */
export type Failed = {
  type: "failed";
  /** A panic in Rust, no memory left, or a bundle that could not be loaded. */
  kind: "panic" | "memory" | "load";
  message: string;
};

export type ToWorker = LoadRequest | Request;

export type FromWorker = Loading | Ready | Message | Failed;
