// Quantisation of numbers to 8 bits, for networks in links: each number is a whole multiple, from -127 to 127, of a
// scale that all numbers of a tensor share. The error of a number is at most half the scale, and that is at most 1/254
// of the largest magnitude.

/** The largest multiple. -128 is not used, so that the range is symmetric. */
const MAX_MULTIPLE = 127;
/** The scale stands before the numbers, as a 32-bit float. */
const SCALE_BYTES = 4;
const LITTLE_ENDIAN = true;

/** The size in bytes of `count` quantised numbers with their scale. */
export const quantisedBytes = (count: number): number => SCALE_BYTES + count;

/** The numbers, quantised. Numbers that are not finite become 0. */
export function quantise8(numbers: Float32Array): Uint8Array<ArrayBuffer> {
  const magnitudes = numbers.map((each) => (Number.isFinite(each) ? Math.abs(each) : 0));
  const largest = magnitudes.reduce((max, each) => Math.max(max, each), 0);
  const scale = Math.fround(largest / MAX_MULTIPLE);
  const bytes = new Uint8Array(quantisedBytes(numbers.length));
  const view = new DataView(bytes.buffer);
  view.setFloat32(0, scale, LITTLE_ENDIAN);
  numbers.forEach((each, i) => {
    const multiple = scale > 0 && Number.isFinite(each) ? Math.round(each / scale) : 0;
    view.setInt8(SCALE_BYTES + i, Math.max(-MAX_MULTIPLE, Math.min(MAX_MULTIPLE, multiple)));
  });
  return bytes;
}

/** The numbers that `quantise8` wrote; null if there are not `count`, or their scale is negative or not finite. */
export function dequantise8(bytes: Uint8Array, count: number): Float32Array<ArrayBuffer> | null {
  if (bytes.length !== quantisedBytes(count)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scale = view.getFloat32(0, LITTLE_ENDIAN);
  if (!Number.isFinite(scale) || scale < 0) return null;
  return Float32Array.from({ length: count }, (_, i) => scale * view.getInt8(SCALE_BYTES + i));
}
