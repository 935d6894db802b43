// Which moments of a run are kept: checkpoints of earlier units (training iterations), from which the timeline looks
// back. At most `MAX_MOMENTS` and `MAX_RUN_BYTES` are kept for a run. They are dense at the beginning, where a run
// learns most, and near the present. In the middle the distances between them are up to nine times as large.

/** The most moments that are kept for a run. */
export const MAX_MOMENTS = 48;
/** The most bytes that the moments of a run may take. */
export const MAX_RUN_BYTES = 64e6;
/** The most bytes that the moments of all runs may take. */
export const MAX_TOTAL_BYTES = 256e6;
/** The distance of two moments in time is at least this fraction of the run's running time. */
const MIN_DISTANCE_FRACTION = 1 / 64;
/**
 * This fraction of the run's units is added to the distance from the nearer end. Without it, moments would be
 * infinitely dense at the ends. It makes the distances in the middle, where the nearer end is 1/2 of the run away,
 * 1/2 + 1/16 instead of 1/16: nine times as large as at the ends.
 */
const END_FRACTION = 1 / 16;

/** A moment: its unit, and the bytes of its checkpoint. */
interface Sized {
  units: number;
  bytes: number;
}

/** Whether another moment is due. Times are in seconds of the run's running time. */
export function isDue(lastSeconds: number, seconds: number): boolean {
  return seconds - lastSeconds >= seconds * MIN_DISTANCE_FRACTION;
}

/**
 * The units of the moments to drop, so that at most `maxMoments` with at most `maxBytes` together remain. `moments` are
 * in ascending order. The last one always stays, and with `keepFirst` also the first, before which nothing could be
 * restored.
 */
export function toDrop(
  moments: Sized[],
  keepFirst: boolean,
  maxMoments = MAX_MOMENTS,
  maxBytes = MAX_RUN_BYTES,
): number[] {
  const rest = [...moments];
  const dropped: number[] = [];
  const end = rest.at(-1)?.units ?? 0;
  const size = () => rest.reduce((sum, moment) => sum + moment.bytes, 0);
  while (rest.length > maxMoments || size() > maxBytes) {
    const index = mostCrowded(rest, end, keepFirst);
    if (index === null) break;
    const [moment] = rest.splice(index, 1);
    if (moment) dropped.push(moment.units);
  }
  return dropped;
}

/**
 * The index of the moment whose neighbours are closest to each other, in proportion to the moment's distance from the
 * nearer end of the run; null if no moment may be dropped.
 */
function mostCrowded(moments: Sized[], end: number, keepFirst: boolean): number | null {
  let found: number | null = null;
  let smallest = Infinity;
  for (let i = keepFirst ? 1 : 0; i < moments.length - 1; i++) {
    const { units } = moments[i] as Sized;
    const gap = (moments[i + 1] as Sized).units - (moments[i - 1]?.units ?? 0);
    const relativeGap = gap / (Math.min(units, end - units) + END_FRACTION * end);
    if (relativeGap < smallest) [found, smallest] = [i, relativeGap];
  }
  return found;
}
