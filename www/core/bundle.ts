// Chooses which of a lab's two bundles this browser and host can run, with the reason in one sentence. A bundle is a
// WebAssembly module with its JavaScript; `threads` uses shared memory and relaxed SIMD, `simple` has one thread.
// Features are detected by validating a tiny module that uses the feature, as the npm package wasm-feature-detect does.

import type { BundleName } from "./worker-messages";

export type BundleChoice = {
  name: BundleName;
  /** Threads in the worker's pool. */
  threads: number;
  /** For people: what is in use, and why something is off. */
  reason: string;
  /** True if threads fail only because the host does not send the isolation headers (see isolation.ts). */
  isolationMissing: boolean;
};

/** Why this browser cannot run the page, or undefined if it can. */
export function unsupported(): string | undefined {
  if (typeof WebAssembly !== "object") return "This browser has WebAssembly switched off.";
  if (!WebAssembly.validate(SIMD)) return "This browser has no WebAssembly SIMD. Browsers from 2023 or later have it.";
  return undefined;
}

/** Chooses the bundle. `wanted` forces the simple one for comparison and for tests. */
export function chooseBundle(wanted?: BundleName): BundleChoice {
  const simple = (reason: string, isolationMissing = false): BundleChoice => ({
    name: "simple",
    threads: 1,
    reason: `One thread: ${reason}.`,
    isolationMissing,
  });
  if (wanted === "simple") return simple("this link asks for it");
  if (!globalThis.isSecureContext) return simple("this page came without HTTPS");
  if (!globalThis.crossOriginIsolated || typeof SharedArrayBuffer !== "function") {
    return simple("this host does not send the isolation headers", true);
  }
  if (!WebAssembly.validate(THREADS)) return simple("this browser has no WebAssembly threads");
  if (!WebAssembly.validate(RELAXED_SIMD))
    return simple("this browser has no relaxed SIMD, which the threaded build uses");
  const threads = Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS));
  const reason = threads === 1 ? "One thread: this machine has one core." : `${threads} threads.`;
  return { name: "threads", threads, reason, isolationMissing: false };
}

/** More threads cost more memory than they bring speed. */
const MAX_THREADS = 16;

/** A module with these bytes after the magic number "\0asm" and version 1. */
const wasmModule = (...bytes: number[]) => new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...bytes]);

// (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt)
const SIMD = wasmModule(1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

// (func (result v128) two splats of zero, i8x16.relaxed_swizzle)
const RELAXED_SIMD = wasmModule(
  1,
  5,
  1,
  96,
  0,
  1,
  123,
  3,
  2,
  1,
  0,
  10,
  15,
  1,
  13,
  0,
  65,
  1,
  253,
  15,
  65,
  2,
  253,
  15,
  253,
  128,
  2,
  11,
);

// A shared memory and (func i32.const 0 i32.atomic.load drop)
const THREADS = wasmModule(
  1,
  4,
  1,
  96,
  0,
  0,
  3,
  2,
  1,
  0,
  5,
  4,
  1,
  3,
  1,
  1,
  10,
  11,
  1,
  9,
  0,
  65,
  0,
  254,
  16,
  2,
  0,
  26,
  11,
);
