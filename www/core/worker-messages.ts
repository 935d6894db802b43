// Messages around the generated protocol: loading a bundle, being ready, failing. They never reach Rust, so they are
// written by hand.

import type { Build, Message, Request } from "../generated/protocol";

/** The two builds of the same crates. Each lab has a bundle of both. */
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

/** Bytes of the bundle that have arrived. */
export type Loading = { type: "loading"; loaded: number; total: number };

/** The bundle runs and answers requests from now on. */
export type Ready = { type: "ready"; bundle: BundleName; lab: string; build: Build };

/** The worker is lost and has to be replaced. */
export type Failed = {
  type: "failed";
  /** A panic in Rust, no memory left, or a bundle that could not be loaded. */
  kind: "panic" | "memory" | "load";
  message: string;
};

export type ToWorker = LoadRequest | Request;

export type FromWorker = Loading | Ready | Message | Failed;
