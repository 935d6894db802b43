// Reads conditions on what was measured, as `when:` has them: `fast.reached >= 8 and fast.units <= 0.5 * slow.units`.

import { parseNumber, quoted } from "../core/values";
import { COMPARISONS, LIMITS, type Condition, type Measure } from "./format";

/** What was read, or what is wrong with the text and where. */
export type Read<Value> =
  { value: Value } | { problem: string; /** Characters before what is wrong. */ offset: number };

const MEASURE = /^([a-z][a-z0-9-]*)\.([A-Za-z_]\w*)$/;

/** Reads a measure, such as `slow.reached`. */
export function readMeasure(text: string): Measure | null {
  const [, block, what] = MEASURE.exec(text) ?? [];
  return block !== undefined && what !== undefined ? { block, what } : null;
}

/** Reads conditions that are joined by “and”. */
export function readConditions(text: string): Read<Condition[]> {
  const conditions: Condition[] = [];
  let offset = 0;
  for (const part of text.split(/ and /)) {
    if (conditions.length === LIMITS.conditions)
      return { problem: `At most ${LIMITS.conditions} conditions can be joined by “and”`, offset };
    const condition = readCondition(part);
    if (!condition)
      return {
        problem: `${quoted(part)} is no condition. Write what was measured, one of ${COMPARISONS.join(" ")} and a number, such as: slow.reached >= 8`,
        offset,
      };
    conditions.push(condition);
    offset += part.length + " and ".length;
  }
  return { value: conditions };
}

/** Reads one condition: `a.x >= 8`, `a.x >= b.y` or `a.x >= 0.5 * b.y`; null if it is none of these. */
function readCondition(text: string): Condition | null {
  const words = text.trim().split(/\s+/);
  const measure = readMeasure(words[0] ?? "");
  const is = COMPARISONS.find((each) => each === words[1]);
  if (!measure || !is) return null;
  const [factorText = "", times, otherText, ...rest] = words.slice(2);
  if (rest.length > 0) return null;
  const other = readMeasure(otherText ?? factorText);
  if (times === undefined && other) return { measure, is, factor: 1, other };
  const factor = parseNumber(factorText);
  if (!Number.isFinite(factor)) return null;
  if (times === undefined) return { measure, is, factor, other: null };
  return times === "*" && other ? { measure, is, factor, other } : null;
}
