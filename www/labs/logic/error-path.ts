// The small curve of the soft error below the grids, as an SVG path.

/** Width and height of the curve in its viewBox. */
export const [CURVE_WIDTH, CURVE_HEIGHT] = [100, 24];
/** The most points that it is drawn with. */
const MAX_POINTS = 100;
/** The curve's height stands for at least this share of the first error, so that noise is not magnified. */
const MIN_RANGE_SHARE = 0.01;

/** A path through the errors, from the largest at the upper edge to the smallest at the lower edge. */
export function curvePath(errors: readonly number[]): string {
  const stride = Math.max(1, Math.ceil(errors.length / MAX_POINTS));
  const points = errors.filter((_, i) => i % stride === 0 || i === errors.length - 1);
  if (points.length < 2) return "";
  const high = Math.max(...points);
  const range = Math.max(high - Math.min(...points), MIN_RANGE_SHARE * (points[0] as number));
  const place = (error: number, i: number) => {
    const x = (CURVE_WIDTH * i) / (points.length - 1);
    // A margin of 1 above and below, so that the stroke is not cut off.
    const y = 1 + ((CURVE_HEIGHT - 2) * (high - error)) / range;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  return `M${points.map(place).join("L")}`;
}
