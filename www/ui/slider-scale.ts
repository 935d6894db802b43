// Converts positions of a setting's slider (notches, from 0) to values and back. The scale is linear, or logarithmic if
// the schema says so or the range is wide. If a logarithmic scale includes zero, zero is its first position.

import type { Field } from "../generated/protocol";

/** The last position, except for small ranges of integers. */
const NOTCHES = 240;
/** Ranges of non-negative numbers wider than this are logarithmic. */
const WIDE_RANGE = 1000;
/** A logarithmic scale that includes zero goes on this many powers of ten below its maximum. */
const DECADES = 6;

export class SliderScale {
  readonly notches: number;
  #min: number;
  #max: number;
  #integer: boolean;
  #logarithmic: boolean;
  /** The lowest value above zero on a logarithmic scale. */
  #low: number;

  constructor(field: Extract<Field, { kind: "integer" | "number" }>) {
    this.#min = field.min;
    this.#max = field.max;
    this.#integer = field.kind === "integer";
    const wide = field.min >= 0 && field.max - field.min > WIDE_RANGE;
    this.#logarithmic = field.min >= 0 && (field.log || wide);
    const lowestAboveZero = this.#integer ? 1 : this.#max / 10 ** DECADES;
    this.#low = field.min > 0 ? field.min : lowestAboveZero;
    const steps = field.max - field.min;
    this.notches = this.#integer && !this.#logarithmic && steps <= NOTCHES ? steps : NOTCHES;
  }

  /** The value at a position. */
  value(notch: number): number {
    if (notch <= 0) return this.#min;
    if (notch >= this.notches) return this.#max;
    if (!this.#logarithmic) return this.#round(this.#min + ((this.#max - this.#min) * notch) / this.notches);
    const first = this.#min === 0 ? 1 : 0;
    const share = (notch - first) / (this.notches - first);
    return this.#round(this.#low * (this.#max / this.#low) ** share);
  }

  /** The position nearest to a value. */
  notch(value: number): number {
    if (value <= this.#min) return 0;
    if (!this.#logarithmic) return Math.round(((value - this.#min) / (this.#max - this.#min)) * this.notches);
    const first = this.#min === 0 ? 1 : 0;
    const share = Math.log(Math.max(value, this.#low) / this.#low) / Math.log(this.#max / this.#low);
    return Math.round(first + share * (this.notches - first));
  }

  /** Rounds to a number that a person would type: a whole one, or one with few digits. */
  #round(value: number): number {
    const rounded = this.#logarithmic ? Number(value.toPrecision(2)) : Number(value.toPrecision(3));
    const clamped = Math.min(this.#max, Math.max(this.#min, rounded));
    return this.#integer ? Math.round(clamped) : clamped;
  }
}
