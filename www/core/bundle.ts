// Chooses which of a lab's bundles this browser and host can run, with the reason in one sentence. A bundle is a
// WebAssembly module with its JavaScript. `threads` uses shared memory and relaxed SIMD, `threads-plain` shared memory
// alone, and `simple` has one thread. `gpu` computes on a GPU, and is used only when the visitor asks for it. Relaxed
// SIMD is used only where its multiply-add is fused (rounded once), because then the tab computes the same bits as a
// terminal. Features are detected by validating a tiny module that uses the feature, as the npm package
// wasm-feature-detect does.

import type { BundleName } from "./worker-messages";

export type BundleChoice = {
  name: BundleName;
  /** The class of bits that it computes: the results of floating-point arithmetic differ between them. */
  bits: "fused" | "plain" | "gpu";
  /** Threads in the worker's pool. */
  threads: number;
  /** For people: what is in use, and why something is off. */
  reason: string;
};

/** Why this browser cannot run the page, or undefined if it can. */
export function unsupported(): string | undefined {
  // Apple's Lockdown Mode removes WebAssembly, as do some settings of other browsers.
  if (typeof WebAssembly !== "object")
    return "Learnery needs WebAssembly, which is switched off in this browser. Switch it on (Lockdown Mode switches it off), or use another browser.";
  if (!WebAssembly.validate(SIMD_PROBE))
    return "This browser has no WebAssembly SIMD (vector instructions), which Learnery needs. Update the browser: those from 2023 or later have it.";
  return undefined;
}

/**
 * Chooses the bundle. `wanted` forces one that the browser can run, for comparison and for tests. `headersSent` says
 * whether the page came with the isolation headers (see isolation.ts); only the reason depends on it.
 */
export function chooseBundle(wanted?: BundleName, headersSent = false): BundleChoice {
  const simple = (reason: string): BundleChoice => ({
    name: "simple",
    bits: "plain",
    threads: 1,
    reason: `One thread: ${reason}.`,
  });
  if (wanted === "simple") return simple("this link asks for it");
  if (!globalThis.isSecureContext) return simple("this page was not loaded over HTTPS");
  if (!WebAssembly.validate(THREADS_PROBE)) return simple("this browser cannot share memory between threads");
  if (!globalThis.crossOriginIsolated)
    return simple(
      headersSent
        ? "this browser does not isolate the page, although the web server sends the headers for it"
        : "this web server does not allow more, because it sends no cross-origin isolation headers",
    );
  // WebKitGTK hides this constructor by default. Memory that a module creates as shared then cannot be sent to another
  // thread.
  if (typeof SharedArrayBuffer !== "function") return simple("this browser hides shared memory from pages");
  const threads = Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS));
  const reason = threads === 1 ? "One thread: this machine has one core." : `${threads} threads.`;
  const isFused = wanted !== "threads-plain" && relaxedSimdIsFused();
  const [name, bits] = isFused ? (["threads", "fused"] as const) : (["threads-plain", "plain"] as const);
  return { name, bits, threads, reason };
}

/**
 * Chooses the bundle of an embed. A frame on a foreign page is not isolated, so it has one thread. Without isolation a
 * module can still have shared memory, only other threads cannot get it. So an embed uses the bundle `threads`, and
 * computes the bits of the page, wherever this browser can.
 */
export function chooseOneThread(): BundleChoice {
  const isFused = globalThis.isSecureContext && relaxedSimdIsFused() && hasSharedMemory();
  const [name, bits] = isFused ? (["threads", "fused"] as const) : (["simple", "plain"] as const);
  return { name, bits, threads: 1, reason: "One thread: a frame on another site's page can have only one." };
}

/** Whether a module can be given shared memory. */
function hasSharedMemory(): boolean {
  try {
    return (
      WebAssembly.validate(THREADS_PROBE) && Boolean(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }))
    );
  } catch {
    return false;
  }
}

/** What a run computes on: the processor, or the graphics processor through WebGPU. */
export type Device = "cpu" | "gpu";

/** The bundle that computes on a GPU. Everything else in it has one thread. */
export const GPU_BUNDLE: BundleChoice = {
  name: "gpu",
  bits: "gpu",
  threads: 1,
  reason: "One thread beside the GPU: a GPU can be used only from the thread that opened it.",
};

/** Why no GPU can be used, or undefined if there may be one. */
export function whyNoGpu(): string | undefined {
  if (!globalThis.isSecureContext) return "The GPU cannot be used: browsers allow it only for pages loaded over HTTPS.";
  return "gpu" in navigator ? undefined : "The GPU cannot be used: this browser has no WebGPU.";
}

/**
 * Whether the browser has relaxed SIMD and fuses its multiply-add. The standard leaves it to the browser, which chooses
 * what the processor does best.
 */
function relaxedSimdIsFused(): boolean {
  if (!WebAssembly.validate(RELAXED_MADD_PROBE)) return false;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(RELAXED_MADD_PROBE));
  const multiplyAdd = exports["f"] as (factor: number, addend: number) => number;
  // The square of 1 + 2^-12 is 1 + 2^-11 + 2^-24. Its last term is lost if the product is rounded before the addition.
  return multiplyAdd(1 + 2 ** -12, -(1 + 2 ** -11)) === 2 ** -24;
}

/** Threads beyond these bring little speed for their memory. */
const MAX_THREADS = 16;

// The modules below are in WebAssembly's binary format. Each contains one function, given above it in text format.

/** A module with these bytes after the magic number "\0asm" and version 1. */
const wasmModule = (...bytes: number[]) => new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...bytes]);

// (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt)
const SIMD_PROBE = wasmModule(1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

// (func (export "f") (param f32 f32) (result f32)
//   local.get 0 f32x4.splat  local.get 0 f32x4.splat  local.get 1 f32x4.splat
//   f32x4.relaxed_madd f32x4.extract_lane 0)
const RELAXED_MADD_PROBE = wasmModule(
  ...[1, 7, 1, 96, 2, 125, 125, 1, 125],
  ...[3, 2, 1, 0],
  ...[7, 5, 1, 1, 102, 0, 0],
  ...[10, 22, 1, 20, 0, 32, 0, 253, 19, 32, 0, 253, 19, 32, 1, 253, 19, 253, 133, 2, 253, 31, 0, 11],
);

// (memory 1 1 shared) (func i32.const 0 i32.atomic.load drop)
const THREADS_PROBE = wasmModule(
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
