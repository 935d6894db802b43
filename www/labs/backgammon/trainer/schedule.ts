// When a card comes back: spaced repetition with boxes, after Leitner. A right answer moves a card into the next box,
// whose interval is longer; a wrong one moves it back into the first box, and it comes back at once.

export interface Schedule {
  /** How many right answers in a row, up to the last box. */
  box: number;
  /** From when on the card is due, in milliseconds since 1970. */
  due: number;
}

/** Days until a card comes back, by its box. */
const INTERVALS = [0, 1, 3, 7, 16, 35, 90];
const DAY_HOURS = 24;

/** The schedule of a new card: it is due at once. */
export const newSchedule = (now: number): Schedule => ({ box: 0, due: now });

/** The schedule after an answer. */
export function answered({ box }: Schedule, isRight: boolean, now: number): Schedule {
  if (!isRight) return { box: 0, due: now };
  const next = Math.min(box + 1, INTERVALS.length - 1);
  return { box: next, due: startOfDay(now, INTERVALS[next] ?? 0) };
}

export const isDue = ({ due }: Schedule, now: number): boolean => due <= now;

/** The beginning of the day that is `days` after today, by the visitor's clock. */
function startOfDay(now: number, days: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  // By the calendar: a day has 23 or 25 hours when the clock is changed.
  day.setDate(day.getDate() + days);
  return day.getTime();
}

/** When a card comes back, in words: "today", "tomorrow", "in 3 days". */
export function describeDue(due: number, now: number): string {
  const days = Math.round((startOfDay(due, 0) - startOfDay(now, 0)) / (DAY_HOURS * 3_600_000));
  if (days <= 0) return "today";
  return days === 1 ? "tomorrow" : `in ${days} days`;
}
