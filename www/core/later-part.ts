// The later part of a module: the functions that a first visit does not call (crates/web/later). The worker fetches it
// in the background once the run learns. A call that needs it before then blocks until it has been fetched, so which
// functions are moved changes no result.

import { NotArrived } from "./worker-failure";
import type { LaterFile } from "./worker-messages";

/** The value of the flag of a file that has arrived. */
const ARRIVED = 1;
/** The bytes of the flag, before those of the module. */
const FLAG_BYTES = 4;

/** Makes room for the later part of a module at this address. The threads of a pool share it with the first one. */
export function laterFile(address: string, bytes: number, threads: number): LaterFile {
  const size = FLAG_BYTES + bytes;
  return { address, buffer: threads > 1 ? new SharedArrayBuffer(size) : new ArrayBuffer(size) };
}

/** Fetches the file, if it has not arrived. Returns whether it has: a call that needs it fetches it again. */
export async function fetchLater(file: LaterFile): Promise<boolean> {
  if (hasArrived(file)) return true;
  try {
    const response = await fetch(file.address);
    if (response.ok) store(file, await response.arrayBuffer());
  } catch {
    // There is no network.
  }
  return hasArrived(file);
}

/**
 * Instantiates the later part for an instance of the first part with these exports. It is called in the middle of a
 * call into the module, so it must not wait for a promise.
 */
export function loadLater(file: LaterFile, exports: WebAssembly.Exports): void {
  if (!hasArrived(file)) store(file, fetchAtOnce(file.address));
  // Browsers compile no bytes of a shared buffer.
  const module = new WebAssembly.Module(new Uint8Array(file.buffer, FLAG_BYTES).slice());
  new WebAssembly.Instance(module, { "": exports });
}

const flagOf = ({ buffer }: LaterFile) => new Int32Array(buffer, 0, 1);

const hasArrived = (file: LaterFile) => Atomics.load(flagOf(file), 0) === ARRIVED;

function store(file: LaterFile, bytes: ArrayBuffer): void {
  if (bytes.byteLength !== file.buffer.byteLength - FLAG_BYTES)
    throw new NotArrived("a file of the bundle has another size than it should have");
  new Uint8Array(file.buffer, FLAG_BYTES).set(new Uint8Array(bytes));
  Atomics.store(flagOf(file), 0, ARRIVED);
}

/** Fetches a file without a promise, which only a worker may do. */
function fetchAtOnce(address: string): ArrayBuffer {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    throw new NotArrived("a file of the bundle could not be fetched");
  }
  if (request.status !== 200) throw new NotArrived(`a file of the bundle could not be fetched (${request.status})`);
  return request.response as ArrayBuffer;
}
