// What a worker reports to the page when its bundle cannot be loaded, or when a call into Rust fails.

import type { Failed } from "./worker-messages";

/** A file did not arrive. */
export class NotArrived extends Error {}

/** Waits for a file. Browsers throw a `TypeError` if it does not arrive; this becomes a `NotArrived`. */
export function arrival<Value>(file: Promise<Value>): Promise<Value> {
  return file.catch((error: unknown) => {
    if (error instanceof TypeError) throw new NotArrived(error.message);
    throw error;
  });
}

/** The failure of a worker whose bundle could not be loaded. */
export function loadFailure(error: unknown): Failed {
  return { type: "failed", kind: kindOf(error), message: messageOf(error) };
}

function kindOf(error: unknown): Failed["kind"] {
  if (error instanceof NotArrived) return "fetch";
  // The threads' shared memory is created while the bundle is loaded. A RangeError says that there is not enough.
  return error instanceof RangeError ? "noMemory" : "load";
}

/**
 * The failure of a worker in which a call into Rust threw this error: usually a trap, which is an abort of WebAssembly
 * code. The worker cannot be used after it. Undefined if the panic hook in Rust has reported the failure already.
 */
export function callFailure(error: unknown): Failed | undefined {
  // The panic hook sets this variable.
  if ("learneryFailureReported" in globalThis) return undefined;
  // The later part of the module (later-part.ts).
  if (error instanceof NotArrived) return { type: "failed", kind: "later", message: error.message };
  // A failed allocation traps with the instruction `unreachable` and without a panic.
  if (error instanceof WebAssembly.RuntimeError && error.message.includes("unreachable"))
    return { type: "failed", kind: "memory", message: "there is not enough memory" };
  return { type: "failed", kind: "panic", message: messageOf(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
