// Numbers rounded to 8 bits, for networks in links: each is a whole multiple, from -127 to 127, of a step that all numbers
// of a tensor share. The error of a number is at most half a step, which is 1/254 of the largest magnitude.

/** The largest multiple. */
const LEVELS = 127;
/** The step stands before the numbers, as a 32-bit float. */
const STEP_BYTES = 4;
const LITTLE_ENDIAN = true;

/** Bytes that so many rounded numbers have. */
export const roundedBytes = (count: number): number => STEP_BYTES + count;

/** The numbers, rounded. Numbers that are not finite become 0. */
export function round8(numbers: Float32Array): Uint8Array<ArrayBuffer> {
  const magnitudes = numbers.map((each) => (Number.isFinite(each) ? Math.abs(each) : 0));
  const largest = magnitudes.reduce((max, each) => Math.max(max, each), 0);
  const step = Math.fround(largest / LEVELS);
  const bytes = new Uint8Array(roundedBytes(numbers.length));
  const view = new DataView(bytes.buffer);
  view.setFloat32(0, step, LITTLE_ENDIAN);
  numbers.forEach((each, i) => {
    const multiple = step > 0 && Number.isFinite(each) ? Math.round(each / step) : 0;
    view.setInt8(STEP_BYTES + i, Math.max(-LEVELS, Math.min(LEVELS, multiple)));
  });
  return bytes;
}

/** The numbers that `round8` wrote; null if there are not so many, or the step is no size. */
export function unround8(bytes: Uint8Array, count: number): Float32Array<ArrayBuffer> | null {
  if (bytes.length !== roundedBytes(count)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const step = view.getFloat32(0, LITTLE_ENDIAN);
  if (!Number.isFinite(step) || step < 0) return null;
  return Float32Array.from({ length: count }, (_, i) => step * view.getInt8(STEP_BYTES + i));
}
