// What surrounds the generated protocol: loading a bundle, being ready, failing. These never reach Rust,
// so they are written by hand.

import type { Build, Message, Request } from "../generated/protocol";

/** The two builds of the same crates; each lab has a bundle of either. */
export type BundleName = "threads" | "simple";

/** The page's first message to a new worker. */
export type LoadRequest = {
  type: "load";
  bundle: BundleName;
  /** The lab whose bundle it is. */
  lab: string;
  /** Threads in the pool; 1 for the simple bundle. */
  threads: number;
  /** The broadcast channel on which any of the worker's threads reports a failure. */
  channel: string;
};

/** Bytes of the bundle that have arrived. */
export type Loading = { type: "loading"; loaded: number; total: number };

/** The bundle runs; requests are answered from now on. */
export type Ready = { type: "ready"; bundle: BundleName; lab: string; build: Build };

/** The worker is lost and has to be replaced. */
export type Failed = {
  type: "failed";
  /** A programming mistake in Rust, no memory left, or the bundle could not be loaded at all. */
  kind: "panic" | "memory" | "load";
  message: string;
};

/** Everything the page may send. */
export type ToWorker = LoadRequest | Request;

/** Everything the page may hear. */
export type FromWorker = Loading | Ready | Message | Failed;
