// How long a tab waits before it connects again. The waits grow and vary, so that many tabs do not all come at once
// when a server is back.

const FIRST_WAIT_MS = 1_000;
const WAIT_GROWTH_FACTOR = 1.5;
const MAX_WAIT_MS = 60_000;

/**
 * The wait before try number `attempt` (from 0), in milliseconds. `random` is from 0 to 1, and varies the wait from
 * half to one and a half times its usual length.
 */
export function backoff(attempt: number, random: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * WAIT_GROWTH_FACTOR ** attempt) * (0.5 + random);
}
