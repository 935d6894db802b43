// Reads arrays of numbers in the worker's messages, which transfer them as the bytes of 32-bit floats.

/** Reads bytes as 32-bit floats, without a copy if they are aligned to four bytes. */
export function floats(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(bytes.slice().buffer);
}
