// The ticks of an axis at round values.

/** Round values within a range, two to six of them: multiples of 1, 2 or 5 times a power of ten. */
export function roundTicks(low: number, high: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / 2));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => (high - low) / each <= 5) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  // Rounding errors, such as that of 3 × 0.1, and minus zero are taken away.
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)) + 0);
}
