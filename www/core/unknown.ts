// Type checks for values from outside, such as parsed JSON.

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** A number that is not negative. */
export const isAmount = (value: unknown): value is number => isNumber(value) && value >= 0;
