// Quantisation of numbers to a few bits, for networks in links: each number is a whole multiple of a scale that all
// numbers of a tensor share. With 8 bits the multiples are from -127 to 127, so the error of a number, which is at most
// half the scale, is at most 1/254 of the largest magnitude; with 6 bits they are from -31 to 31, and it is at most 1/62.

/** Bits of a number. */
export type Bits = 8 | 6;

/** The largest multiple. The lowest number of so many bits is not used, so that the range is symmetric. */
const largestMultiple = (bits: Bits): number => 2 ** (bits - 1) - 1;
const LITTLE_ENDIAN = true;
/**
 * The scale stands before the numbers, as a 32-bit float. With 6 bits, scale and numbers are filled up to multiples of
 * three bytes, so that each number is one character of base64, and frequent ones make the text compress better.
 */
const headBytes = (bits: Bits): number => (bits === 6 ? 6 : 4);

/** The size in bytes of `count` quantised numbers with their scale. */
export const quantisedBytes = (count: number, bits: Bits): number =>
  headBytes(bits) + (bits === 6 ? 3 * Math.ceil(count / 4) : count);

/** The numbers, quantised. Numbers that are not finite become 0. */
export function quantise(numbers: Float32Array, bits: Bits): Uint8Array<ArrayBuffer> {
  const most = largestMultiple(bits);
  const magnitudes = numbers.map((each) => (Number.isFinite(each) ? Math.abs(each) : 0));
  const largest = magnitudes.reduce((max, each) => Math.max(max, each), 0);
  const scale = Math.fround(largest / most);
  const bytes = new Uint8Array(quantisedBytes(numbers.length, bits));
  new DataView(bytes.buffer).setFloat32(0, scale, LITTLE_ENDIAN);
  numbers.forEach((each, i) => {
    const multiple = scale > 0 && Number.isFinite(each) ? Math.round(each / scale) : 0;
    writeBits(bytes.subarray(headBytes(bits)), i * bits, bits, Math.max(-most, Math.min(most, multiple)));
  });
  return bytes;
}

/** The numbers that `quantise` wrote; null if there are not `count`, or their scale is negative or not finite. */
export function dequantise(bytes: Uint8Array, count: number, bits: Bits): Float32Array<ArrayBuffer> | null {
  if (bytes.length !== quantisedBytes(count, bits)) return null;
  const scale = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat32(0, LITTLE_ENDIAN);
  if (!Number.isFinite(scale) || scale < 0) return null;
  const numbers = bytes.subarray(headBytes(bits));
  return Float32Array.from({ length: count }, (_, i) => scale * readBits(numbers, i * bits, bits));
}

/** Writes a number in two's complement from the bit `at` on, the highest bit first, where all bits are 0. */
function writeBits(bytes: Uint8Array, at: number, bits: Bits, value: number): void {
  const byte = at >> 3;
  const pair = (value & (2 ** bits - 1)) << (16 - bits - (at & 7));
  bytes[byte] = (bytes[byte] as number) | (pair >> 8);
  if (byte + 1 < bytes.length) bytes[byte + 1] = (bytes[byte + 1] as number) | (pair & 255);
}

/** Reads what `writeBits` wrote. */
function readBits(bytes: Uint8Array, at: number, bits: Bits): number {
  const byte = at >> 3;
  const pair = ((bytes[byte] as number) << 8) | (bytes[byte + 1] ?? 0);
  const value = (pair >> (16 - bits - (at & 7))) & (2 ** bits - 1);
  return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
}
